/** Who belongs to an audience: every condition alone, and all together, compared with a check of each customer in TypeScript. */

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { insertCar } from '#product/customers/cars/store.ts';
import { setTags } from '#product/customers/tags.ts';
import { campaignWorld } from '../../../../test/fixtures/campaigns.ts';
import { bookingBody } from '../../../../test/harness/world.ts';
import { type Audience, conditionsOf, readAudience } from './audience.ts';
import { previewBlast } from './preview.ts';
import { readAudienceParts } from './recipients/store.ts';

const { db, clock, context, partner, workshopId, customers, blast, template } = await campaignWorld();
const timezone = 'Australia/Melbourne';

interface Person {
  readonly id: string;
  /** Local dates. */
  readonly visits: readonly { readonly date: string; readonly category: string }[];
  readonly years: readonly number[];
  readonly tags: readonly string[];
  readonly reachable: boolean;
}
const people: Person[] = [];
const dates = ['2024-03-01', '2025-03-01', '2026-03-01'];
const categories = ['service', 'tyres'];

before(async () => {
  const ids = await customers(24);
  for (const [n, id] of ids.entries()) {
    const visits =
      n % 4 === 0
        ? []
        : dates.slice(0, n % 4).map((date, index) => ({ date, category: categories[(n + index) % 2] ?? '' }));
    const years = n % 3 === 0 ? [] : [2000 + n];
    const tags = ['a', 'b'].filter((_, index) => (n >> index) % 2 === 1);
    const reachable = n % 7 !== 6;
    people.push({ id, visits, years, tags, reachable });
    const [row] = await db.query<{ phone: string }>('SELECT phone FROM customer WHERE id = $1', [id]);
    for (const { date, category } of visits) {
      const body = {
        customerPhone: row?.phone,
        bookingTime: `${date}T01:00:00Z`,
        serviceCategory: category,
        carRego: `V${n}`,
        skipNotification: true,
      };
      assert.equal((await partner.call('POST', '/bookings', bookingBody(workshopId, body))).status, 201);
    }
    // A cancelled booking and a future one are no visits.
    for (const bookingTime of ['2023-01-01T01:00:00Z', '2040-01-01T01:00:00Z']) {
      const made = await partner.call(
        'POST',
        '/bookings',
        bookingBody(workshopId, {
          customerPhone: row?.phone,
          bookingTime,
          carRego: `V${n}`,
          skipNotification: true,
        }),
      );
      if (bookingTime < '2030')
        await partner.call('POST', `/bookings/${made.body.booking.id}/cancelled`, { skipNotification: true });
    }
    for (const year of years)
      await insertCar(
        db,
        { id: newId(), workshopId, customerId: id, rego: `Y${n}`, year, make: 'M', model: 'M' },
        clock.now(),
      );
    if (tags.length > 0)
      await setTags(
        { db, clock },
        { workshopId: null, customerId: id, add: tags, remove: [], actor: actors.operator },
      );
    if (!reachable) await db.query('UPDATE customer SET opted_out_at = $2 WHERE id = $1', [id, clock.now()]);
  }
});

function belongs({ visits, years, tags, reachable }: Person, audience: Audience): boolean {
  const last = visits.at(-1)?.date;
  const { lastVisitBefore: until, lastVisitAfter: from, carYearFrom = 0, carYearTo = 9_999 } = audience;
  const byYear = audience.carYearFrom !== undefined || audience.carYearTo !== undefined;
  return (
    reachable &&
    (until === undefined || (last !== undefined && last < until)) &&
    (from === undefined || (last !== undefined && last >= from)) &&
    (audience.neverVisited === undefined || (last === undefined) === audience.neverVisited) &&
    (audience.serviceCategories?.some((wanted) => visits.some(({ category }) => category === wanted)) ??
      true) &&
    (audience.tags?.some((wanted) => tags.includes(wanted)) ?? true) &&
    (!byYear || years.some((year) => year >= carYearFrom && year <= carYearTo))
  );
}

const year = fc.integer({ min: 2000, max: 2024 });
const anyAudience = fc.record(
  {
    lastVisitBefore: fc.constantFrom(...dates, '2026-03-02'),
    lastVisitAfter: fc.constantFrom(...dates),
    serviceCategories: fc.subarray(['service', 'tyres'] as ('service' | 'tyres')[], { minLength: 1 }),
    carYearFrom: year,
    carYearTo: year,
    tags: fc.subarray(['a', 'b'], { minLength: 1 }),
    neverVisited: fc.boolean(),
  },
  { requiredKeys: [] },
);

test('an audience is the customers who meet all its conditions (specification: Blasts 1)', async () => {
  const check = fc.asyncProperty(anyAudience, async (audience) => {
    const conditions = conditionsOf(audience, timezone);
    const found = await Array.fromAsync(readAudienceParts(db, workshopId, clock.now(), conditions));
    const expected = people.filter((person) => belongs(person, audience)).map(({ id }) => id);
    assert.deepEqual(
      found.flat().map(({ customerId }) => customerId),
      expected.sort(),
    );
  });
  await fc.assert(check, { numRuns: 60 });
});

test('a preview gives the number of customers and five texts; it sends nothing', async () => {
  const id = await blast({ template: await template('Hi {{ customer.firstName }}') });
  const { recipients, examples } = await previewBlast(context, id);
  assert.deepEqual([recipients, examples.length], [people.filter(({ reachable }) => reachable).length, 5]);
  assert.match(examples[0]?.text ?? '', /^Harbour Motors: Hi .*\nReply STOP to end$/);
  assert.deepEqual(await db.query(`SELECT FROM message WHERE kind = 'blast'`), []);
});

test('an invalid audience is refused, with every bad field', () => {
  const faults: [string, RegExp][] = [
    ['{', /audience: is not JSON/],
    ['[]', /audience/],
    ['{"toString":"vip"}', /audience\.toString: is unknown; there are: lastVisitBefore/],
    ['{"lastVisit":"2026-01-01"}', /audience\.lastVisit: is unknown; there are: lastVisitBefore/],
    ['{"lastVisitBefore":"2026-02-30","tags":[]}', /audience\.tags/],
    ['{"lastVisitBefore":"2026-02-30"}', /audience\.lastVisitBefore: must be a date that exists/],
    ['{"carYearFrom":2020,"carYearTo":2010}', /audience\.carYearTo: must not be before carYearFrom/],
    ['{"serviceCategories":["wash"]}', /audience\.serviceCategories/],
    ['{"neverVisited":"yes"}', /audience\.neverVisited/],
  ];
  for (const [json, message] of faults) assert.throws(() => readAudience(json, timezone), message, json);
});
