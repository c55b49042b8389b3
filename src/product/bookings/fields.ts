/**
 * The fields of a booking that are one value in a body and one column, each listed once. The bodies, the parameters and columns of
 * the statements, the snapshot, and the fields that an update may change are derived from this list.
 *
 * Not derived: the response, whose order differs (`schema.ts`), and the fields that need more than one value: the time, which has a
 * different name in each body, the customer's name, phone and e-mail, and the registration.
 */

import { optional, word } from '#platform/http/fields.ts';
import { serviceCategories } from '#product/catalogue/categories.ts';
import { type ServiceItem, sentItems, wholeItem } from '#product/catalogue/item.ts';
import { type Fields, instantField, integerField, textField, textsField } from '#product/orders/field.ts';
import { orderFields } from '#product/orders/fields.ts';

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
    // The items of a request have been filled from the catalogue (services.ts).
    read: (items: readonly ServiceItem[]) => items.map(wholeItem),
    empty: [],
  },
  pickupTime: instantField({ description: 'When the car is to be picked up.' }),
  servicePackageType: textField({ max: 64, description: 'In words of your own.', examples: ['logbook'] }),
  notes: {
    ...orderFields.notes,
    changesWhenFinal: true,
  },
  customerCompany: orderFields.customerCompany,
  jobNotes: {
    ...textsField({ description: 'Notes on the work.', examples: [['Check the brake pads']] }),
    changesWhenFinal: true,
  },
  productNotes: { ...textsField({ description: 'Notes on parts and products.' }), changesWhenFinal: true },
  tyreQuantities: integerField({ min: 0, max: 1_000, description: 'How many tyres.' }),
} as const satisfies Fields;

export const createFields = {
  ...both,
  externalId: orderFields.externalId,
} as const satisfies Fields;

export const updateFields = {
  ...both,
  interval: integerField({
    min: 0,
    max: largestInteger,
    description: 'Stored and returned as given: it has no unit here.',
  }),
} as const satisfies Fields;
