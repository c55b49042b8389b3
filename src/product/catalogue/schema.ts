/** Wire shapes of the service catalogue. */
import { type Static, Type } from 'typebox';
import { nullable, out, ref, word } from '#platform/http/fields.ts';
import { serviceCategories } from './categories.ts';
import { ServiceItem } from './item.ts';

const dailyLimit = (description: string) => nullable(out.integer({ description, examples: [4] }));

const CatalogueService = Type.Object(
  {
    _id: out.uuid({ description: 'The `catalogId` of availabilities and of service items. It stays.' }),
    catalogCode: out.string({ description: "The workshop's code for it.", examples: ['logbook'] }),
    title: out.string({ description: 'What customers read.', examples: ['Logbook service'] }),
    category: word(serviceCategories, { description: 'What it belongs to.' }),
    cost: nullable(
      out.number({ description: "The price, in the currency of the workshop's country.", examples: [199] }),
    ),
    maxCost: nullable(
      out.number({ description: 'The most that it may cost, in the same currency.', examples: [399] }),
    ),
    icon: nullable(out.string('The name of its icon.')),
    color: nullable(out.string('Its colour, as the workshop wrote it.')),
    dailyLimit: dailyLimit("Bookings of a day; stands in place of its category's. Null: none of its own."),
    durationMinutes: nullable(out.integer({ description: 'Minutes. Null: one slot.', examples: [90] })),
  },
  { $id: 'CatalogueService', description: 'A service that a workshop offers.' },
);

const CatalogueCategory = Type.Object(
  {
    code: word(serviceCategories, { description: 'The `serviceCategory` of a booking.' }),
    label: out.string({ description: 'What customers read.', examples: ['Maintenance'] }),
    dailyLimit: dailyLimit('Bookings of a day. Null: no limit.'),
  },
  { $id: 'CatalogueCategory', description: 'A category of services.' },
);

export const CatalogueAnswer = Type.Object(
  {
    success: out.success(true),
    categories: out.list(ref(CatalogueCategory), 'All four.'),
    services: out.list(ref(CatalogueService), 'Those on offer, in the order of the workshop.'),
  },
  { description: 'All four categories, and the services on offer in the order of the workshop.' },
);
export type CatalogueAnswer = Static<typeof CatalogueAnswer>;

export const catalogueComponents = [CatalogueService, CatalogueCategory, ServiceItem];
