/** A service item: a requested service, from the workshop's catalogue or in the partner's own words. */
import { type Static, Type } from 'typebox';
import { anyText, list, money, nullable, optional, out, word } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { type ServiceCategory, serviceCategories } from './categories.ts';

const sentItem = Type.Object({
  catalogId: optional(
    anyText({
      description: 'The `_id` of a service that the workshop offers.',
      examples: [exampleIds.service],
    }),
  ),
  catalogCode: optional(
    anyText({
      max: 64,
      description: "A service's code; one that the workshop does not have makes a custom item.",
      examples: ['logbook'],
    }),
  ),
  title: optional(
    anyText({
      description: 'Of a custom item; the `catalogCode` unless given.',
      examples: ['Logbook service'],
    }),
  ),
  category: optional(
    anyText({ max: 64, description: 'Of a custom item; `others` unless given.', examples: ['service'] }),
  ),
  cost: optional(
    money({
      description: "The price, in the currency of the workshop's country; the catalogue's unless given.",
      examples: [289.5],
    }),
  ),
  maxCost: optional(
    money({ description: 'The most that a custom item may cost, in the same currency.', examples: [349] }),
  ),
  icon: optional(anyText({ max: 64, description: 'The name of the icon of a custom item.' })),
  color: optional(anyText({ max: 64, description: 'The colour of a custom item.' })),
});
/** An item in a request; absent and null fields were not sent. */
export type SentItem = Static<typeof sentItem>;
type SentField = keyof SentItem;

const itemsText = 'The services wanted, each by `catalogId`, `catalogCode` or `title`. Their order is kept.';

/** The field of a request; `optional` makes it optional. */
export const sentItems = list(Type.Unsafe<SentItem>(sentItem), { description: itemsText });
/** The same with at least one. */
export const neededItems = list(Type.Unsafe<SentItem>(sentItem), { min: 1, description: itemsText });

export const sources = ['catalog', 'custom'] as const;

export const ServiceItem = Type.Object(
  {
    catalogId: nullable(out.uuid({ description: 'The service of the catalogue; null: a custom item.' })),
    catalogCode: nullable(out.string("The workshop's code for it, or the one that was sent.")),
    title: nullable(out.string('What customers read.')),
    category: nullable(
      out.string('`service`, `tyres`, `repair` or `others`; of a custom item any text, as it was sent.'),
    ),
    cost: nullable(out.number("The price, in the currency of the workshop's country.")),
    maxCost: nullable(out.number('The most that it may cost, in the same currency.')),
    icon: nullable(out.string('The name of its icon.')),
    color: nullable(out.string('Its colour.')),
    source: word(sources, { description: '`catalog`: from the catalogue. `custom`: as it was sent.' }),
  },
  { $id: 'ServiceItem', description: 'A service that is wanted.' },
);
export type ServiceItem = Static<typeof ServiceItem>;

/** The partner's own item. */
export function customItem(sent: SentItem): ServiceItem {
  const { catalogCode = null } = sent;
  return {
    catalogId: null,
    catalogCode,
    title: sent.title ?? catalogCode,
    category: sent.category ?? 'others',
    cost: sent.cost ?? null,
    maxCost: sent.maxCost ?? null,
    icon: sent.icon ?? null,
    color: sent.color ?? null,
    source: 'custom',
  };
}

/** The same item with its fields in a fixed order, which the database does not keep. */
export function wholeItem(item: ServiceItem): ServiceItem {
  const { catalogId, source } = item;
  return { ...customItem(item), title: item.title, category: item.category, catalogId, source };
}

const documented: readonly SentField[] = ['catalogCode', 'title', 'category', 'cost', 'maxCost'];
const further: readonly SentField[] = ['catalogId', 'icon', 'color'];

/** Whether a sent item equals a stored one. Clients that know only the five documented fields send only those back. */
export function isSameItem(sent: SentItem, stored: ServiceItem): boolean {
  return (
    documented.every((field) => (sent[field] ?? null) === stored[field]) &&
    further.every((field) => (sent[field] ?? stored[field]) === stored[field])
  );
}

/**
 * The category of a booking with these services: that of the first service with one of the four, else `others`; null without
 * services.
 */
export function categoryOf(items: readonly Pick<ServiceItem, 'category'>[]): ServiceCategory | null {
  if (items.length === 0) return null;
  const words = new Set(items.map(({ category }) => category));
  const found = [...words].flatMap((word) => serviceCategories.filter((category) => category === word));
  return found[0] ?? 'others';
}

interface Titled {
  readonly title: string | null;
  readonly catalogCode?: string | null;
}

/** The names of services, for people. */
export const titlesOf = (services: readonly Titled[]): string[] =>
  services.map(({ title, catalogCode }) => title ?? catalogCode ?? '').filter((title) => title !== '');
