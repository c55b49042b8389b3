/**
 * The fields of a booking that are one value in a body and one in a column, each listed once: the bodies, the parameters and
 * columns of the statements, the snapshot, and what an update may change follow.
 *
 * Apart from these stand, in `schema.ts`, the answer, whose order is not that of the bodies; and what is not so simple: the
 * time, which has another name in each body, the customer's name, phone and e-mail, and the registration.
 */
import { serviceCategories } from '#catalogue/categories.ts';
import { type ServiceItem, sentItems, wholeItem } from '#catalogue/item.ts';
import { optional, word } from '#http/fields.ts';
import { type Fields, instantField, integerField, textField, textsField } from './field.ts';

const largestInteger = 2_147_483_647;

/** In the bodies of create and update. */
const both = {
  serviceCategory: {
    ...textField(),
    body: optional(
      word(serviceCategories, {
        description: 'What kind of work it is; that of the services unless given.',
        examples: ['service'],
      }),
    ),
  },
  services: {
    body: optional(sentItems),
    type: 'jsonb',
    // Those of a request are filled from the catalogue before (services.ts).
    read: (items: readonly ServiceItem[]) => items.map(wholeItem),
    empty: [],
  },
  pickupTime: instantField({ description: 'When the car is to be picked up.' }),
  servicePackageType: textField({ max: 64, description: 'In words of your own.', examples: ['logbook'] }),
  notes: {
    ...textField({
      max: 10_000,
      of: 'lines',
      minLength: 0,
      description: 'What the customer wants the workshop to know.',
      examples: ['Squeaks when braking'],
    }),
    changesWhenFinal: true,
  },
  customerCompany: textField({ description: "The customer's company.", examples: ['Example Fleet Pty Ltd'] }),
  jobNotes: {
    ...textsField({ description: 'Notes on the work.', examples: [['Check the brake pads']] }),
    changesWhenFinal: true,
  },
  productNotes: { ...textsField({ description: 'Notes on parts and products.' }), changesWhenFinal: true },
  tyreQuantities: integerField({ min: 0, max: 1_000, description: 'How many tyres.' }),
} as const satisfies Fields;

export const createFields = {
  ...both,
  externalId: textField({ description: 'Your own reference.', examples: ['ORDER-1001'] }),
} as const satisfies Fields;

export const updateFields = {
  ...both,
  interval: integerField({
    min: 0,
    max: largestInteger,
    description: 'Stored and returned as given: it has no unit here.',
  }),
} as const satisfies Fields;

/** The car's details, in the body of create alone. The answer has them in `car`. */
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
