/** GET /bookings (specification: Lists and feeds; Bookings 6): the list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from '#values/id.ts';
import { setLink } from '#workshops/link.ts';
import { assertProblem, bookingWorld, setStatus } from '../../../test/fixtures/booking-api.ts';
import { linkedWorkshop, signedInPartner } from '../../../test/harness/world.ts';
import { type Booking, bookingStatuses } from '../schema.ts';

const { app, partner, workshopId, book } = await bookingWorld();
const other = await signedInPartner(app, 'Other');
const shared = await linkedWorkshop(app, [partner, other], { name: 'Shared' });

/** In order of creation: two workshops, each status, dates and references that repeat. */
const all: Booking[] = [];
for (let n = 0; n < 24; n++) {
  const booking = await book({
    workshopId: n % 3 === 0 ? shared : workshopId,
    bookingTime: `2030-03-${String(1 + ((n * 7) % 12)).padStart(2, '0')}T22:30:00Z`,
    ...(n % 4 === 0 ? { externalId: `ORDER-${n % 8}` } : {}),
    skipNotification: true,
  });
  const status = bookingStatuses[(n >> 1) % 4] ?? 'pending';
  await setStatus(app, booking.id, status);
  all.push({ ...booking, status });
}
await book({ workshopId: shared, externalId: 'ORDER-0' }, other);
const newest = all.toReversed();

type Query = Readonly<Record<string, string | number>>;
const get = (query: Query, by = partner) =>
  by.call(
    'GET',
    `/bookings?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`,
  );

async function walk(query: Query): Promise<Booking[]> {
  const found: Booking[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await get({ ...query, ...(cursor === '' ? {} : { cursor }) });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body).sort(), ['bookings', 'nextCursor', 'success']);
    assert.ok(body.bookings.length <= Number(query['limit'] ?? 50));
    found.push(...body.bookings);
    cursor = body.nextCursor;
    assert.ok(cursor === null || body.bookings.length > 0, 'an empty page with a next one');
  }
  return found;
}

test('the partner’s own bookings, newest created first, as GET /bookings/{id} shows each', async () => {
  const { status, body } = await get({});
  assert.deepEqual([status, body.success, body.nextCursor], [200, true, null]);
  assert.deepEqual(
    body.bookings.map(({ id }: Booking) => id),
    newest.map(({ id }) => id),
  );
  for (const booking of body.bookings.slice(0, 3)) {
    assert.deepEqual(booking, (await partner.call('GET', `/bookings/${booking.id}`)).body.booking);
  }
  assert.deepEqual((await partner.call('GET', '/v1/bookings/')).body, body);
});

test('for any filters and limit the list equals a check of each booking', async () => {
  const instants = fc.constantFrom(
    '2030-03-01T00:00:00Z',
    '2030-03-05T22:30:00Z',
    '2030-03-12T09:30:00+11:00',
  );
  const queries = fc.record(
    {
      workshopId: fc.constantFrom(workshopId, shared.toUpperCase()),
      status: fc.constantFrom(...bookingStatuses),
      from: instants,
      to: instants,
      externalId: fc.constantFrom('ORDER-0', 'ORDER-4', 'none'),
      limit: fc.constantFrom(3, 5, 24, 200),
    },
    { requiredKeys: [] },
  );
  const isAsked = (query: Query) => (booking: Booking) =>
    (query['workshopId'] === undefined || booking.workshopId === String(query['workshopId']).toLowerCase()) &&
    (query['status'] === undefined || booking.status === query['status']) &&
    (query['externalId'] === undefined || booking.externalId === query['externalId']) &&
    (query['from'] === undefined || Date.parse(booking.date) >= Date.parse(String(query['from']))) &&
    (query['to'] === undefined || Date.parse(booking.date) < Date.parse(String(query['to'])));
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      if (
        query.from !== undefined &&
        query.to !== undefined &&
        Date.parse(query.to) < Date.parse(query.from)
      ) {
        assertProblem(await get(query), 400, '000001', ['to']);
        return;
      }
      assert.deepEqual(
        (await walk(query)).map(({ id }) => id),
        newest.filter(isAsked(query)).map(({ id }) => id),
      );
    }),
    { numRuns: 25 },
  );
});

test('400 000001 names each failing field', async () => {
  for (const [query, fields] of [
    [{ status: 'done', from: '2030-03-01', limit: 0 }, ['from', 'limit', 'status']],
    [{ to: 'tomorrow', updatedSince: '2030-03-01T10:00:00' }, ['to', 'updatedSince']],
    [{ limit: 201 }, ['limit']],
    [{ limit: 'many' }, ['limit']],
    [{ externalId: 'x'.repeat(256) }, ['externalId']],
    [{ externalId: 'a\u0000' }, ['externalId']],
    [{ cursor: 'x' }, ['cursor']],
    [{ cursor: 'x', updatedSince: '2030-03-01T10:00:00Z' }, ['cursor']],
    [{ from: '2030-03-02T00:00:00Z', to: '2030-03-01T00:00:00Z' }, ['to']],
  ] as const) {
    assertProblem(await get(query), 400, '000001', [...fields]);
  }
  const twice = await partner.call('GET', '/bookings?status=pending&status=confirmed');
  assertProblem(twice, 400, '000001', ['status']);
});

test('a cursor is valid only with the filters of its list', async () => {
  const first = await get({ status: 'pending', from: '2030-03-01T00:00:00Z', limit: 1 });
  const cursor: string = first.body.nextCursor;
  // The same instant in another notation; and another limit.
  const same = await get({ status: 'pending', from: '2030-03-01T11:00:00+11:00', limit: 3, cursor });
  assert.equal(same.status, 200);
  for (const query of [{}, { status: 'confirmed' }, { status: 'pending' }, { workshopId }] as Query[]) {
    assertProblem(await get({ ...query, cursor }), 400, '000001', ['cursor']);
  }
  const feed = await get({ updatedSince: '2026-01-01T00:00:00Z', limit: 1 });
  assertProblem(await get({ cursor: feed.body.nextCursor }), 400, '000001', ['cursor']);
  // Another partner's cursor shows none of their bookings.
  assert.deepEqual(
    (await get({ status: 'pending', from: '2030-03-01T00:00:00Z', cursor }, other)).status,
    200,
  );
});

test('401 without a token; 404 for a workshop that is not linked; no booking of another partner', async () => {
  assertProblem(await app.request('GET', '/bookings'), 401, '010000');
  for (const id of [newId(), 'none', '%']) assertProblem(await get({ workshopId: id }), 404, '030001');
  assertProblem(await get({ workshopId }, other), 404, '030001');
  const theirs = await get({ externalId: 'ORDER-0' }, other);
  assert.equal(theirs.body.bookings.length, 1);
  assert.equal((await get({ workshopId: shared }, other)).body.bookings.length, 1);
});

test('an empty list is 200; a link that is off hides no booking', async () => {
  const nobody = await signedInPartner(app, 'Nobody');
  assert.deepEqual((await get({}, nobody)).body, { success: true, bookings: [], nextCursor: null });
  const { db, clock } = app.context;
  await setLink(db, clock, { partnerId: partner.partnerId, workshopId: shared, active: false });
  assert.equal(
    (await walk({ workshopId: shared })).length,
    all.filter((each) => each.workshopId === shared).length,
  );
  await setLink(db, clock, { partnerId: partner.partnerId, workshopId: shared, active: true });
});
