/** The fields of the booking page's form, in its order. */

/** The labels of fields, by their names in POST /bookings. */
export const labels: Readonly<Record<string, string>> = {
  customerName: 'Your name',
  customerPhone: 'Mobile number',
  customerEmail: 'E-mail',
  carRego: 'Registration',
  carMake: 'Make',
  carModel: 'Model',
  pickupTime: 'Pick-up',
  notes: 'Anything we should know?',
};
