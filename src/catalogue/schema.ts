/** Wire shapes of the service catalogue (areas, section 3). */
import { type Static, Type } from 'typebox';
import { nullable, out, ref } from '#http/fields.ts';
import { type ServiceCategory, serviceCategories } from './categories.ts';
import { ServiceItem } from './item.ts';

const category = Type.Unsafe<ServiceCategory>({ type: 'string', enum: [...serviceCategories] });
const dailyLimit = (description: string) => nullable(out.integer({ description, examples: [4] }));

const CatalogueService = Type.Object(
  {
    _id: out.uuid({ description: 'The `catalogId` of availabilities and of service items. It stays.' }),
    catalogCode: out.string({ examples: ['logbook'] }),
    title: out.string({ examples: ['Logbook service'] }),
    category,
    cost: nullable(out.number({ examples: [199] })),
    maxCost: nullable(out.number({ examples: [399] })),
    icon: nullable(out.string()),
    color: nullable(out.string()),
    dailyLimit: dailyLimit("Bookings of a day; stands in place of its category's. Null: none of its own."),
    durationMinutes: nullable(out.integer({ description: 'Null: one slot.', examples: [90] })),
  },
  { $id: 'CatalogueService' },
);

const CatalogueCategory = Type.Object(
  {
    code: category,
    label: out.string({ examples: ['Maintenance'] }),
    dailyLimit: dailyLimit('Bookings of a day. Null: no limit.'),
  },
  { $id: 'CatalogueCategory' },
);

export const CatalogueAnswer = Type.Object(
  {
    success: Type.Literal(true),
    categories: out.list(ref(CatalogueCategory)),
    services: out.list(ref(CatalogueService)),
  },
  { description: 'All four categories, and the services on offer in the order of the workshop.' },
);
export type CatalogueAnswer = Static<typeof CatalogueAnswer>;

export const catalogueComponents = [CatalogueService, CatalogueCategory, ServiceItem];
