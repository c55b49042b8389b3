/** Maps faults of the verbs to the form's fields, so that each is shown beside its field. */
import { ownValue } from '#base/values/own-value.ts';
import type { Refused } from '../frame/form-key/submit.ts';

/** The field of a booking's forms, by the name that the verbs use. */
const fields: Readonly<Record<string, string>> = {
  carRego: 'rego',
  bookingTime: 'time',
  to: 'time',
  carMake: 'make',
  carModel: 'model',
  carYear: 'year',
  carVin: 'vin',
  customerName: 'name',
  customerPhone: 'phone',
  customerEmail: 'email',
  customerCompany: 'company',
  customerId: 'customer',
  anyway: 'reason',
  text: 'message',
};

export const asTyped = (refused: Refused | null): Refused | null =>
  refused && {
    ...refused,
    faults: refused.faults.map((fault) => ({
      ...fault,
      field: ownValue(fields, fault.field) ?? fault.field,
    })),
  };
