/** Held events: not relayed before their time, then at once; what is held costs the relay nothing, and is never left behind. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createScanWindow } from '#platform/db/scan-window.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { reactions as allReactions } from '#reactions.ts';
import { happen, insertWorld, workContext } from '../../../../test/fixtures/booking-events.ts';
import { pagesOf } from '../../../../test/fixtures/explain.ts';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { failedWork } from '../../../../test/harness/failed-work.ts';
import { relayBatch } from '../batch.ts';
import type { Planner, Reactions } from '../reaction.ts';
import { claimEvents, claimStatement, setAsideEvents } from '../store.ts';
import { endHolds, findChange, holdEvent, withdrawEvent } from './store.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);
const world = await insertWorld(db);
const recordId = world.booking.id;

let relayed: string[] = [];
const noting: Planner = async (_, events) => {
  relayed.push(...events.map(({ version, kind }) => `${version} ${kind.replace('booking.', '')}`));
};
const failing: Planner = () => Promise.reject(new Error('not today'));
const by = (planner: Planner): Reactions => ({
  ...allReactions,
  'booking.created': [planner],
  'booking.updated': [planner],
  'booking.cancelled': [planner],
});
const relay = async (scans = createScanWindow()) => {
  relayed = [];
  await relayBatch(ctx, by(noting), scans);
  return relayed.toSorted();
};

/** Records an event and holds it. */
async function hold(version: number, holdMs = 60_000, of = recordId): Promise<string> {
  const eventId = await happen(db, world, 'booking.cancelled', { version });
  const held = await holdEvent(db, {
    ...{ eventId, recordId: of, recordVersion: version },
    ...{ holdMs, previous: { status: 'pending' } },
  });
  assert.equal(held.eventId, eventId);
  return eventId;
}
const expire = () => db.query(`UPDATE held_event SET held_until = clock_timestamp() - interval '1 ms'`);
const heldCount = async () => (await db.query('SELECT FROM held_event')).length;

beforeEach(async () => {
  for (const table of ['event', 'held_event', 'failed_work', 'dead_letter'])
    await db.query(`DELETE FROM ${table}`);
});

test('an event is held by the clock of the database, for 60 seconds at most', async () => {
  const before = await db.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const eventId = await happen(db, world, 'booking.cancelled', { version: 2 });
  const of = { eventId, recordId, recordVersion: 2, previous: {} };
  for (const holdMs of [0, -1, 0.5, 60_001, Number.NaN]) {
    await assert.rejects(holdEvent(db, { ...of, holdMs }), RangeError);
  }
  const { heldUntil } = await holdEvent(db, { ...of, holdMs: 10_000 });
  const heldMs = heldUntil.getTime() - (before[0]?.at.getTime() ?? 0);
  assert.ok(heldMs >= 10_000 && heldMs < 15_000, String(heldMs));
  await assert.rejects(holdEvent(db, { ...of, holdMs: 10_000 }), /no event .* waits/);
});

test('it is relayed when its time is over, once, also by a look that begins later than it was made', async () => {
  await happen(db, world, 'booking.created', { version: 1 });
  const scans = createScanWindow();
  await relay(scans);
  // Older than the half minute that a usual look goes back.
  const eventId = await hold(2);
  const old = `overlay(id::text PLACING left(first_id(clock_timestamp() - interval '59 seconds')::text, 13) FROM 1 FOR 13)::uuid`;
  const [aged] = await db.query<{ id: string }>(`UPDATE event SET id = ${old} WHERE id = $1 RETURNING id`, [
    eventId,
  ]);
  await db.query('UPDATE held_event SET event_id = $1', [aged?.id]);
  assert.deepEqual(await relay(scans), []);
  await expire();
  assert.equal(scans.next().isFull, false);
  assert.deepEqual(await relay(scans), ['2 cancelled']);
  assert.deepEqual(await relay(), []);
  assert.equal(await heldCount(), 0);
});

test('later events of its subject wait behind it, and go with it (specification: Taking a change back 2)', async () => {
  await hold(2);
  await happen(db, world, 'booking.updated', { version: 3 });
  assert.deepEqual(await relay(), []);
  await expire();
  assert.deepEqual(await relay(), ['2 cancelled', '3 updated']);
  assert.equal(await heldCount(), 0);
});

test('it does not go with an earlier one of its subject that waits, before its time', async () => {
  await happen(db, world, 'booking.created', { version: 1 });
  const eventId = await hold(2);
  assert.deepEqual(await relay(), ['1 created']);
  assert.deepEqual(await relay(), []);
  assert.notEqual(await withdrawEvent(db, eventId), null);
});

test('a later hold of the record ends the wait of the one before, also where its version is the same', async () => {
  const first = await hold(2);
  const second = await happen(db, world, 'booking.updated', { version: 2 });
  const of = { eventId: second, recordId, recordVersion: 2 };
  await holdEvent(db, { ...of, holdMs: 60_000, previous: { state: 'here' } });
  assert.equal((await findChange(db, world.workshopId, first))?.hasEnded, true);
  assert.equal(await withdrawEvent(db, first), null);
  assert.deepEqual(await relay(), ['2 cancelled']);
  assert.equal(await heldCount(), 1);
  assert.deepEqual(await withdrawEvent(db, second), { state: 'here' });
});

test('what changes a record without an event of it ends the wait too', async () => {
  const eventId = await hold(2);
  await endHolds(db, [recordId]);
  const [left] = await db.query<{ previous: unknown }>('SELECT previous FROM held_event');
  assert.equal(left?.previous, null);
  assert.equal(await withdrawEvent(db, eventId), null);
  assert.deepEqual(await relay(), ['2 cancelled']);
});

test('a withdrawn event is never relayed, nor set aside, and holds nobody up (specification: Taking a change back 3)', async () => {
  const eventId = await hold(2);
  assert.deepEqual(await withdrawEvent(db, eventId), { status: 'pending' });
  assert.equal(await withdrawEvent(db, eventId), null);
  await happen(db, world, 'booking.updated', { version: 3 });
  assert.deepEqual(await relay(), ['3 updated']);
  await expire();
  assert.deepEqual(await relay(), []);
  assert.equal(await setAsideEvents(db, ctx.clock.now()), 0);
});

test('while a relay has it, it can be withdrawn no more, and nobody waits', async () => {
  const eventId = await hold(2);
  await expire();
  await db.transaction(async (tx) => {
    assert.equal((await claimEvents(tx, 10)).length, 1);
    assert.equal(await withdrawEvent(db, eventId), null);
  });
  assert.equal(await heldCount(), 0);
});

test('one whose planner throws is tried again like any, and its wait is over', async () => {
  const eventId = await hold(2);
  await expire();
  assert.equal(await relayBatch(ctx, by(failing)), 1);
  assert.deepEqual(
    (await failedWork(db)).map(({ tries }) => tries),
    [1],
  );
  assert.equal(await heldCount(), 0);
  assert.equal(await withdrawEvent(db, eventId), null);
  assert.deepEqual(await relay(), []);
});

test('a batch that fails because of another event relays it alone', async () => {
  await hold(2);
  await expire();
  const poison = await happen(db, world, 'booking.updated', { version: 3 });
  relayed = [];
  const planner: Planner = async (tx, events, context) =>
    events.some(({ id }) => id === poison) ? failing(tx, events, context) : noting(tx, events, context);
  await relayBatch(ctx, by(planner));
  assert.deepEqual(relayed.at(-1), '2 cancelled');
  assert.equal(await heldCount(), 0);
});

test('a restore sets it aside with what waited', async () => {
  const eventId = await hold(2);
  assert.equal(await setAsideEvents(db, ctx.clock.now()), 1);
  assert.deepEqual(
    (await listDeadLetters(db)).map(({ payload }) => payload),
    [{ eventId }],
  );
  await expire();
  assert.deepEqual(await relay(), []);
  assert.equal(await heldCount(), 0);
});

test('a relay that knows nothing of it leaves it alone, or takes it with a later one; what that leaves behind goes', async () => {
  const waiting = () => db.query('SELECT FROM event WHERE relayed_at IS NULL');
  await hold(2);
  assert.deepEqual(await waiting(), []);
  // As that relay marks it when it relays a later event of the subject.
  await db.query('UPDATE event SET relayed_at = clock_timestamp()');
  assert.equal(await heldCount(), 1);
  await expire();
  assert.deepEqual(await relay(), []);
  assert.equal(await heldCount(), 0);
});

test('ten thousand held events fill no batch and cost a look nothing, and are relayed in batches', async () => {
  const look = () => db.transaction((tx) => pagesOf(tx, claimStatement(200, { isFull: true, oldest: null })));
  const without = await look();
  await db.query(
    `WITH made AS (
       INSERT INTO event (id, kind, workshop_id, subject_id, version, payload, occurred_at, relayed_at)
       SELECT gen_random_uuid(), 'booking.cancelled', $1, gen_random_uuid(), 2, '{}', clock_timestamp(), 'infinity'
         FROM generate_series(1, 10000) RETURNING id, subject_id)
     INSERT INTO held_event SELECT id, subject_id, 2, clock_timestamp() + interval '1 minute', '{}' FROM made`,
    [world.workshopId],
  );
  const idle = await look();
  // Ten thousand rows are over a hundred pages.
  assert.ok(idle < without + 15, `${idle} pages, ${without} without them`);
  await happen(db, world, 'booking.updated', { version: 3 });
  assert.deepEqual(await relay(), ['3 updated']);
  await expire();
  await db.query(`INSERT INTO event (id, kind, workshop_id, subject_id, version, payload, occurred_at)
    SELECT gen_random_uuid(), 'booking.created', '${world.workshopId}', gen_random_uuid(), 1, '{}', clock_timestamp() FROM generate_series(1, 300)`);
  relayed = [];
  const batch = await relayBatch(ctx, by(noting));
  assert.equal(batch, 400);
  assert.equal(relayed.filter((each) => each === '1 created').length, 200, 'others wait for none of them');
  assert.equal(await heldCount(), 9_800);
});
