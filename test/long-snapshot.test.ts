/**
 * While a long snapshot is open, vacuum removes nothing that was done since: what the relay, the sender and the deliverer read of their
 * queues must not grow with it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScanWindow, fullScan, type Scan } from '#platform/db/scan-window.ts';
import { claimEvents, claimStatement } from '#platform/events/store.ts';
import { takeStatement, takeWakes } from '#product/sending/wake/store.ts';
import * as deliveries from '#product/webhooks/deliveries/claim/store.ts';
import { pagesOf, type Statement } from './fixtures/explain.ts';
import { createTestDatabase } from './harness/database.ts';

const { db } = await createTestDatabase();
const done = 20_000;

const pages = (statement: (look: Scan) => Statement) =>
  db.transaction(async (tx) => ({
    full: await pagesOf(tx, statement(fullScan)),
    usual: await pagesOf(tx, statement({ isFull: false, oldest: null })),
  }));

const insertEvents = (count: number, ago: string) =>
  db.query(
    `INSERT INTO event (id, kind, workshop_id, subject_id, version, payload, occurred_at)
     SELECT overlay(gen_random_uuid()::text PLACING left(first_id(clock_timestamp() - $2::interval)::text, 13) FROM 1 FOR 13)::uuid,
            'booking.created', gen_random_uuid(), gen_random_uuid(), 1, '{}', clock_timestamp() FROM generate_series(1, $1::int)`,
    [count, ago],
  );
const insertWakes = (count: number, ago: string) =>
  db.query(
    `INSERT INTO send_wake (workshop_id, channel, class, due_at, queued_at)
     SELECT gen_random_uuid(), 'sms', 1, clock_timestamp(), clock_timestamp() - $2::interval FROM generate_series(1, $1::int)`,
    [count, ago],
  );

const insertDeliveryWakes = (count: number, ago: string) =>
  db.query(
    `INSERT INTO webhook_wake (webhook_id, queued_at) SELECT gen_random_uuid(), clock_timestamp() - $2::interval FROM generate_series(1, $1::int)`,
    [count, ago],
  );
const deliveryClaim = { room: 10, running: new Map<string, number>(), now: new Date() };

test('the relay and the sender read as little as without the snapshot, and a full look finds what came late', async () => {
  const client = await db.pool.connect();
  try {
    await insertEvents(done, '1 hour');
    await insertWakes(done, '1 hour');
    await insertDeliveryWakes(done, '1 hour');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT count(*) FROM event');
    await db.query('UPDATE event SET relayed_at = clock_timestamp()');
    await db.query('DELETE FROM send_wake');
    await db.query('DELETE FROM webhook_wake');
    await client.query('SELECT 1');

    const ofEvents = await pages((look) => claimStatement(200, look));
    const ofWakes = await pages(takeStatement);
    assert.ok(ofEvents.full > 300 && ofEvents.usual < 60, JSON.stringify(ofEvents));
    assert.ok(ofWakes.full > 150 && ofWakes.usual < 60, JSON.stringify(ofWakes));
    const ofDeliveries = await pages((look) => deliveries.claimStatement(deliveryClaim, look));
    assert.ok(ofDeliveries.full > 100 && ofDeliveries.usual < 60, JSON.stringify(ofDeliveries));

    const [events, wakes] = [createScanWindow(), createScanWindow()];
    const claim = async () => {
      const claimed = await db.transaction((tx) => claimEvents(tx, 200, events.next()));
      events.found(claimed.map(({ id }) => id).sort()[0] ?? null);
      return claimed.length;
    };
    const left = async () => (await db.query('SELECT FROM send_wake')).length;
    assert.equal(await claim(), 0);
    await takeWakes(db, wakes);
    await insertEvents(3, '1 second');
    await insertWakes(3, '1 second');
    assert.equal(await claim(), 3);
    await takeWakes(db, wakes);
    assert.equal(await left(), 0);
    // Committed long after they were made: not seen by the usual look, but by the next full one.
    await insertEvents(2, '1 minute');
    await insertWakes(2, '1 minute');
    assert.equal(await claim(), 0);
    await takeWakes(db, wakes);
    assert.equal(await left(), 2);
    assert.equal((await db.transaction((tx) => claimEvents(tx, 200))).length, 2);
    await takeWakes(db);
    assert.equal(await left(), 0);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('a backlog is gone through in order: a look begins at the oldest that the last one found', async () => {
  await insertEvents(30, '2 hours');
  await insertEvents(30, '1 second');
  const scans = createScanWindow();
  const seen: string[] = [];
  for (let round = 0; round < 6; round++) {
    const claimed = await db.transaction((tx) => claimEvents(tx, 10, scans.next()));
    const ids = claimed.map(({ id }) => id).sort();
    scans.found(ids[0] ?? null);
    seen.push(...ids);
  }
  assert.equal(seen.length, 60);
  assert.deepEqual(seen, seen.toSorted());
});
