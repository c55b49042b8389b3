/** GET /quotes: the list, and the feed of changes (specification: Lists and feeds). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#values/id.ts';
import { setLink } from '#workshops/link.ts';
import { assertProblem } from '../../../test/fixtures/booking-api.ts';
import { quoteWorld } from '../../../test/fixtures/quote-api.ts';
import { settledFeed } from '../../../test/fixtures/settled-feed.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import type { Quote } from '../schema.ts';

const { app, partner, workshopId, ask } = await quoteWorld();
const other = await signedInPartner(app, 'Other');
const shared = await linkedWorkshop(app, [partner, other], { name: 'Shared' });
const { db, clock } = app.context;

/** In order of creation: two workshops, two statuses, references that repeat. */
const all: Quote[] = [];
for (let n = 0; n < 8; n++) {
  const quote = await ask({
    workshopId: n % 3 === 0 ? shared : workshopId,
    ...(n % 4 === 0 ? { externalId: 'LEAD-1' } : {}),
  });
  const status = n % 2 === 0 ? ('declined' as const) : ('requested' as const);
  await db.query('UPDATE quote SET status = $2 WHERE id = $1', [quote.id, status]);
  all.push({ ...quote, status });
}
await ask({ workshopId: shared, externalId: 'LEAD-1' }, other);
const newest = all.toReversed();

const get = (query: Readonly<Record<string, string>>, by = partner) =>
  by.call('GET', `/quotes?${new URLSearchParams(query)}`);

async function walk(query: Readonly<Record<string, string>>): Promise<Quote[]> {
  const found: Quote[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await get({ ...query, ...(cursor === '' ? {} : { cursor }) });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).sort(), ['nextCursor', 'quotes', 'success']);
    found.push(...body.quotes);
    cursor = body.nextCursor;
  }
  return found;
}

test("the partner's own quotes, newest first, whole and in pages, by each filter and by several", async () => {
  assert.deepEqual(await walk({}), newest);
  assert.deepEqual(await walk({ limit: '3' }), newest);
  const matching = (filter: (quote: Quote) => boolean) => newest.filter(filter);
  assert.deepEqual(
    await walk({ workshopId: shared.toUpperCase(), limit: '1' }),
    matching((quote) => quote.workshopId === shared),
  );
  assert.deepEqual(
    await walk({ status: 'declined', limit: '2' }),
    matching(({ status }) => status === 'declined'),
  );
  assert.deepEqual(
    await walk({ externalId: 'LEAD-1', limit: '1' }),
    matching(({ externalId }) => externalId === 'LEAD-1'),
  );
  assert.deepEqual(
    await walk({ status: 'declined', workshopId: shared, externalId: 'LEAD-1' }),
    matching((quote) => quote.workshopId === shared && quote.externalId === 'LEAD-1'),
  );
  assert.deepEqual(await walk({ externalId: 'none' }), []);
});

test('updatedSince: each change once more, in the order of the changes; its cursor never ends', async () => {
  await settledFeed(db, 'quote');
  const first = await get({ updatedSince: '2026-01-01T00:00:00Z', limit: '200' });
  assert.equal(first.body.quotes.length, all.length);
  const cursor: string = first.body.nextCursor;
  const quiet = await get({ updatedSince: '2026-01-01T00:00:00Z', cursor });
  assert.deepEqual([quiet.body.quotes, typeof quiet.body.nextCursor], [[], 'string']);
  const [, changed] = all;
  await db.query('UPDATE quote SET notes = $2, version = version + 1 WHERE id = $1', [changed?.id, 'New']);
  await settledFeed(db, 'quote');
  const next = await get({ updatedSince: '2026-01-01T00:00:00Z', cursor });
  assert.deepEqual(
    next.body.quotes.map(({ id, notes }: Quote) => [id, notes]),
    [[changed?.id, 'New']],
  );
  const none = await get({
    updatedSince: '2026-01-01T00:00:00Z',
    status: 'accepted',
    workshopId,
    externalId: 'LEAD-1',
  });
  assert.deepEqual(none.body.quotes, []);
  await db.query('UPDATE quote SET notes = NULL WHERE id = $1', [changed?.id]);
});

test('400 names the parameter; a cursor goes with its filters; 401; 404 for a workshop that is not linked', async () => {
  for (const [query, field] of [
    [{ status: 'priced' }, 'status'],
    [{ limit: '201' }, 'limit'],
    [{ updatedSince: '2026-01-01' }, 'updatedSince'],
    [{ cursor: 'x' }, 'cursor'],
  ] as const) {
    assertProblem(await get(query), 400, '000001', [field]);
  }
  const { nextCursor } = (await get({ limit: '1', status: 'declined' })).body;
  assertProblem(await get({ cursor: nextCursor }), 400, '000001', ['cursor']);
  const since = { updatedSince: '2026-01-01T00:00:00Z' };
  const { body: feed } = await partner.call('GET', `/bookings?${new URLSearchParams(since)}`);
  assertProblem(await get({ ...since, cursor: feed.nextCursor }), 400, '000001', ['cursor']);
  assertProblem(await app.request('GET', '/quotes'), 401, '010000');
  for (const id of [newId(), 'none']) assertProblem(await get({ workshopId: id }), 404, '030001');
  assertProblem(await get({ workshopId }, other), 404, '030001');
  assert.equal((await get({}, other)).body.quotes.length, 1);
});

test('a link that is off hides no quote', async () => {
  await setLink(db, clock, { partnerId: partner.partnerId, workshopId: shared, active: false });
  assert.equal((await get({ workshopId: shared })).body.quotes.length, 3);
});
