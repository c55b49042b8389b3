/** Filling service items: each rule, for random catalogues and items (specification: Services). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { serviceCategories } from './categories.ts';
import { enrichItems, type StoredItem } from './enrich.ts';
import { customItem, type SentItem, wholeItem } from './item.ts';
import type { Offer } from './offer.ts';
import type { Service } from './store.ts';

const idOf = (n: number) => `0198c6a3-0000-7000-8000-00000000000${n}`;
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const word = fc.constantFrom('a', 'b', 'c');
const amount = fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 100);

const services = fc.subarray([0, 1, 2]).chain((numbers) =>
  fc.tuple(
    ...numbers.map((n) =>
      fc.record<Service>({
        _id: fc.constant(idOf(n)),
        catalogCode: fc.constant(['a', 'b', 'c'][n] as string),
        title: word,
        category: fc.constantFrom(...serviceCategories),
        ...{ cost: maybe(amount), maxCost: maybe(amount), icon: maybe(word), color: maybe(word) },
        ...{ dailyLimit: fc.constant(null), durationMinutes: maybe(fc.integer({ min: 1, max: 600 })) },
      }),
    ),
  ),
);

const sentItem: fc.Arbitrary<SentItem> = fc.record({
  catalogId: fc.option(fc.integer({ min: 0, max: 3 }).map(idOf), { nil: null, freq: 1 }),
  ...{ catalogCode: maybe(word), title: maybe(word), category: maybe(word) },
  ...{ cost: maybe(amount), maxCost: maybe(amount), icon: maybe(word), color: maybe(word) },
});

function offerOf(those: readonly Service[]): Offer {
  return {
    version: 1,
    byId: new Map(those.map((service) => [service._id, service])),
    byCode: new Map(those.map((service) => [service.catalogCode, service])),
  };
}

/** One item, by the words of the specification; a string names the faulty field. */
function expected(item: SentItem, those: readonly Service[]): StoredItem | 'catalogId' | 'title' {
  const { catalogId, catalogCode, title, cost } = item;
  const known = those.find(({ _id, catalogCode: code }) =>
    catalogId ? _id === catalogId : code === catalogCode,
  );
  if (known === undefined) {
    if (catalogId) return 'catalogId';
    return title || catalogCode ? { item: customItem(item), minutes: 0 } : 'title';
  }
  const { _id, dailyLimit: _, durationMinutes, ...shown } = known;
  return {
    item: wholeItem({ ...shown, catalogId: _id, cost: cost ?? shown.cost, source: 'catalog' }),
    minutes: durationMinutes ?? 0,
  };
}

test('each item is filled or kept by the rules, in order, and each fault is named by its path (specification: Services 2, 3 and 5)', async () => {
  await fc.assert(
    fc.asyncProperty(services, fc.array(sentItem, { maxLength: 5 }), async (those, sent) => {
      const { stored, found } = await enrichItems(sent, [], async () => offerOf(those));
      const outcomes = sent.map((item) => expected(item, those));
      assert.deepEqual(
        stored,
        outcomes.filter((outcome) => typeof outcome !== 'string'),
      );
      assert.deepEqual(
        found.map(({ field }) => field),
        outcomes.flatMap((outcome, n) => (typeof outcome === 'string' ? [`services[${n}].${outcome}`] : [])),
      );
    }),
    { numRuns: 100 },
  );
});

test('items that are sent back, in any order and after any change of the catalogue, are kept without reading it (specification: Services 6)', async () => {
  await fc.assert(
    fc.asyncProperty(
      services,
      fc.array(sentItem, { maxLength: 5 }),
      fc.boolean(),
      async (those, sent, turned) => {
        const { stored } = await enrichItems(sent, [], async () => offerOf(those));
        const back = turned ? stored.toReversed() : stored;
        const again = await enrichItems(
          back.map(({ item: { source: _, ...item } }) => item),
          stored,
          () => assert.fail('the catalogue was asked'),
        );
        assert.deepEqual(again, { stored: back, version: null, found: [] });
      },
    ),
    { numRuns: 50 },
  );
});
