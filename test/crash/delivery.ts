/** The state of bookings and their notices, by what the database and the sandbox hold. */
import assert from 'node:assert/strict';
import type { Database, Queryable } from '#platform/db/database.ts';
import { until } from '../harness/wait.ts';

/** Between questions about what takes half a minute, when leases end: each takes some milliseconds of a core. */
export const patientMs = 250;

/** The number that the statement, which counts, gives. */
export async function countOf(db: Queryable, sql: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql, values);
  return Number(row?.count);
}

/** Waits until a statement that counts gives a number that will do. What counts many rows, or takes long, is asked less often. */
export async function untilCount(
  db: Queryable,
  sql: string,
  isEnough: (count: number) => boolean,
  withinMs = 30_000,
  everyMs = 25,
): Promise<void> {
  let count = 0;
  const holds = async () => {
    count = await countOf(db, sql);
    return isEnough(count);
  };
  await until(() => `still ${count}: ${sql}`, holds, withinMs, everyMs);
}

/** Messages that a process holds, to send them. */
export const held = 'SELECT count(*) FROM queued_message WHERE in_flight';

/** Notices of events; the demo's history has some that were never sent. */
const notices = `kind = 'bookingNotice' AND cause_id IS NOT NULL`;

const workLeft = `SELECT (SELECT count(*) FROM event WHERE relayed_at IS NULL)
  + (SELECT count(*) FROM queued_message)
  + (SELECT count(*) FROM message WHERE ${notices} AND state NOT IN ('accepted', 'delivered')) AS count`;

/** Waits until all background work is done and every notice is delivered. */
export async function untilDelivered(db: Database, withinMs: number): Promise<void> {
  await untilCount(db, workLeft, (count) => count === 0, withinMs, patientMs);
}

/**
 * Every booking whose client got a response is stored, with its four notices; every notice, also of a booking whose client got
 * none, was sent exactly once.
 */
export async function assertNothingLost(db: Database, created: readonly string[]): Promise<void> {
  assert.equal(new Set(created).size, created.length);
  const found = await db.query<{ id: string; notices: number }>(
    `SELECT booking.id, count(message.id)::int AS notices
       FROM booking LEFT JOIN message ON message.booking_id = booking.id AND kind = 'bookingNotice'
      GROUP BY booking.id`,
  );
  const counts = new Map(found.map((row) => [row.id, row.notices]));
  assert.deepEqual(
    created.filter((id) => counts.get(id) !== 4),
    [],
    'bookings that were answered with 201, and are lost or lack a notice',
  );
  const notOnce = await db.query(
    `SELECT message.id, channel, attempts, count(sent.id)::int AS sent
       FROM message LEFT JOIN (SELECT id, message_id FROM sandbox_message WHERE outcome = 'accepted') AS sent
         ON sent.message_id = message.id
      WHERE ${notices} GROUP BY message.id HAVING count(sent.id) <> 1`,
  );
  assert.deepEqual(notOnce, [], 'notices that were not sent exactly once');
  // But that of the text that fails in the demo's day.
  const letters = `SELECT count(*) FROM dead_letter
    WHERE NOT EXISTS (SELECT FROM message WHERE id::text = payload ->> 'messageId' AND recipient = '+61491570156')`;
  assert.equal(await countOf(db, letters), 0);
}
