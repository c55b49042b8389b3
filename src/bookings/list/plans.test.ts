/** Each filter of GET /bookings uses an index, alone and with others, on full and analysed tables. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedParameters } from '#feed/store.ts';
import { type FilterValues, feedStatement, listStatement } from '#records/list/store.ts';
import { newId } from '#values/id.ts';
import { insertWorld } from '../../../test/fixtures/booking-events.ts';
import type { Statement } from '../../../test/fixtures/explain.ts';
import { assertLittleRead as littleRead } from '../../../test/fixtures/explained.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { bookingRecord } from '../record.ts';
import { findBookingIds } from './store.ts';

const { db } = await createTestDatabase({ poolSize: 1 });
const [one, two] = [await insertWorld(db), await insertWorld(db)];
const size = 20_000;

// Half of each partner's bookings are at its own workshop; a day has some thirty; a hundredth is pending.
for (const { partnerId, workshopId, booking } of [one, two]) {
  await db.query(
    `INSERT INTO booking (id, code, partner_id, workshop_id, customer_id, car_id, external_id, status, date, contact_name,
       contact_email, contact_phone, created_at, updated_at)
     SELECT overlay(gen_random_uuid()::text PLACING lpad(to_hex(n), 8, '0') FROM 1 FOR 8)::uuid, $6 || n, $1, $2, $3, $4,
            CASE WHEN n % 10 = 0 THEN 'ORDER-' || n END,
            CASE WHEN n % 100 = 0 THEN 'pending' WHEN n % 3 = 0 THEN 'cancelled' ELSE 'completed' END,
            timestamptz '2028-01-01' + n * interval '47 minutes', 'Sam', 'sam@customer.example', '+61491570006', at, at
       FROM generate_series(1, $5::int) AS n, LATERAL (SELECT timestamptz '2027-12-01' + n * interval '47 minutes' AS at) AS made`,
    [partnerId, workshopId, booking.customerId, booking.carId, size, partnerId],
  );
}
await db.query('ANALYZE');

const assertLittleRead = (statement: Statement, index: string, rowsAtMost: number) =>
  littleRead(db, statement, { table: 'booking', index, rowsAtMost });

const { partnerId, workshopId } = one;
const day = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });
const narrow = day('2028-06-01', '2028-06-08');
const wide = day('2028-01-01', '2030-01-01');

type Filters = FilterValues & { readonly status?: string };

const asked = ({ status, ...filters }: Filters, after: string | null) => ({
  ...{ tenantId: partnerId, states: status === undefined ? undefined : [status], filters },
  ...{ after: after === null ? null : [after], limit: 51 },
});
const statementOf = (filters: Filters, after: string | null) =>
  listStatement(bookingRecord, 'partner', asked(filters, after), findBookingIds);

for (const [name, filters, index, rowsAtMost] of [
  ['nothing', {}, 'booking_status', 210],
  ['status', { status: 'pending' }, 'booking_status', 60],
  ['workshop', { workshopId }, 'booking_workshop_status', 210],
  ['workshop and status', { workshopId, status: 'pending' }, 'booking_workshop_status', 60],
  ['a week', narrow, 'booking_date', 300],
  ['a week of a workshop', { ...narrow, workshopId }, 'booking_date', 300],
  ['a week and a status', { ...narrow, status: 'cancelled' }, 'booking_date', 300],
  ['from a late day on', { from: new Date('2029-09-01') }, 'booking_date', 2_100],
  ['years', wide, 'booking_status', 2_100],
  [
    'years of a workshop in a status',
    { ...wide, workshopId, status: 'completed' },
    'booking_workshop_status',
    8_000,
  ],
  ['reference', { externalId: 'ORDER-10' }, 'booking_external', 2],
  ['reference and workshop', { externalId: 'ORDER-10', workshopId }, 'booking_external', 2],
] as const satisfies readonly (readonly [string, Filters, string, number])[]) {
  test(`${name}: by ${index}`, async () => {
    const first = statementOf(filters, null);
    assert.ok((await db.query<{ id: string }>(first.text, first.values)).length > 0);
    await assertLittleRead(first, index, rowsAtMost);
    const [middle] = await db.query<{ id: string }>(
      'SELECT id FROM booking WHERE partner_id = $1 ORDER BY id OFFSET $2 LIMIT 1',
      [partnerId, size / 2],
    );
    await assertLittleRead(statementOf(filters, middle?.id ?? ''), index, rowsAtMost);
  });
}

for (const [name, filters] of [
  ['no other filter', {}],
  ['a workshop', { workshopId }],
  ['a status and a week', { ...narrow, status: 'cancelled' }],
] as const satisfies readonly (readonly [string, Filters])[]) {
  test(`the feed with ${name}: by booking_feed, and never more than 10,000 rows a page`, async () => {
    const { text, values } = feedStatement(bookingRecord, asked(filters, null));
    for (const position of [null, { epoch: 1, start: null, changedIn: '1', id: newId(), entered: null }]) {
      await assertLittleRead(
        { text, values: [...feedParameters([new Date(0), position, 51]), ...values] },
        'booking_feed',
        10_000,
      );
    }
  });
}
