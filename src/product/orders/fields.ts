/** The fields of every order that are one value in a body and one column, each listed once. */
import { type Fields, integerField, textField } from './field.ts';

/** In addition: the customer's name, phone and e-mail, the registration and the services. */
export const orderFields = {
  customerCompany: textField({ description: "The customer's company.", examples: ['Example Fleet Pty Ltd'] }),
  notes: textField({
    max: 10_000,
    of: 'lines',
    minLength: 0,
    description: 'What the customer wants the workshop to know.',
    examples: ['Squeaks when braking'],
  }),
  externalId: textField({ description: 'Your own reference.', examples: ['ORDER-1001'] }),
} as const satisfies Fields;

/** The car's details, only in the body of create. The response has them in `car`. */
export const carFields = {
  carVin: textField({ max: 32, description: 'Vehicle identification number.' }),
  carMake: textField({ max: 64, description: 'Who made the car.', examples: ['Toyota'] }),
  carModel: textField({ max: 64, description: 'The model.', examples: ['Corolla'] }),
  carYear: integerField({
    min: 1880,
    max: 2200,
    description: 'The year the car was made.',
    examples: [2019],
  }),
  carBadge: textField({ max: 64, description: 'The variant of the model.' }),
} as const satisfies Fields;

const { carBadge: _, ...ofStaff } = carFields;
/** The details that staff change later (specification: The front desk 9). */
export const staffCarFields = ofStaff;
