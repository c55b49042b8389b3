/** Notices of one booking go in the order of its versions, so its events are relayed in that order (specification: Notices 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#base/values/id.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { reactions as allReactions } from '#reactions.ts';
import { happen, insertWorld, workContext } from '../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { failedWork } from '../../../test/harness/failed-work.ts';
import { relayBatch } from './batch.ts';
import type { Planner, Reactions } from './reaction.ts';
import { claimEvents } from './store.ts';

const { db } = await createTestDatabase({ poolSize: 12 });
const ctx = workContext(db);
await db.query('CREATE TABLE noted (place serial, subject uuid NOT NULL, version integer NOT NULL)');

/** Notes the events that it gets, in the order of the commits of its batches; the order within a batch does not matter. */
const noting: Planner = async (tx, events) => {
  await tx.query('INSERT INTO noted (subject, version) SELECT * FROM unnest($1::uuid[], $2::int[])', [
    events.map(({ subjectId }) => subjectId),
    events.map(({ version }) => version),
  ]);
};
const reactionsWith = (planner: Planner): Reactions => ({
  ...allReactions,
  'booking.created': [planner],
  'booking.updated': [planner],
});
const updated = (world: Awaited<ReturnType<typeof insertWorld>>, version: number, id = newId()) =>
  happen(db, world, 'booking.updated', { version, id });

test('an event waits while another relay has claimed an earlier one of its booking', async () => {
  const [world, other] = [await insertWorld(db), await insertWorld(db)];
  await updated(world, 2);
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow: Planner = async () => {
    held.resolve();
    await release.promise;
  };
  const first = relayBatch(ctx, reactionsWith(slow));
  await held.promise;
  await updated(world, 3);
  await updated(world, 4);
  await updated(other, 2);
  assert.equal(await relayBatch(ctx, reactionsWith(noting)), 1, "only the other booking's");
  release.resolve();
  assert.equal(await first, 1);
  assert.equal(await relayBatch(ctx, reactionsWith(noting)), 2);
});

test('an event whose id is older than that of the version before it waits for that version', async () => {
  const world = await insertWorld(db);
  const early = newId();
  await updated(world, 2);
  await updated(world, 3, early);
  const claimed = await db.transaction((tx) => claimEvents(tx, 1));
  assert.deepEqual(claimed.map(({ version }) => version).sort(), [2, 3], 'together, or the first of them');
});

test('a locked event delays the later ones of its booking, and no other booking', async () => {
  const [world, other] = [await insertWorld(db), await insertWorld(db)];
  await updated(world, 2);
  const middle = await updated(world, 3);
  await updated(world, 4);
  await updated(other, 2);
  await db.transaction(async (tx) => {
    await tx.query('SELECT FROM event WHERE id = $1 FOR UPDATE', [middle]);
    const claimed = await db.transaction((own) => claimEvents(own, 200));
    assert.deepEqual(
      claimed.map(({ subjectId, version }) => [subjectId === other.booking.id, version]).sort(),
      [
        [false, 2],
        [true, 2],
      ],
    );
  });
  assert.equal((await db.transaction((tx) => claimEvents(tx, 200))).length, 2);
});

test('four relays, with changes coming in: each booking is noted in the order of its versions, each event once', async () => {
  await db.query('TRUNCATE noted');
  const worlds = await Promise.all(Array.from({ length: 12 }, () => insertWorld(db)));
  let writing = true;
  const write = async () => {
    for (let version = 2; version <= 15; version++) {
      await Promise.all(worlds.map((world) => updated(world, version)));
    }
    writing = false;
  };
  const relay = async () => {
    while (writing || (await relayBatch(ctx, reactionsWith(noting))) > 0)
      await relayBatch(ctx, reactionsWith(noting));
  };
  await Promise.all([write(), relay(), relay(), relay(), relay()]);
  while ((await relayBatch(ctx, reactionsWith(noting))) > 0);
  // Rows of one statement have the same xmin: the order within a batch is not defined.
  const late = await db.query(
    `SELECT FROM noted one JOIN noted other ON other.subject = one.subject AND other.version > one.version
      WHERE other.place < one.place AND other.xmin::text <> one.xmin::text`,
  );
  assert.deepEqual(late, []);
  const [counted] = await db.query<{ rows: number; once: number }>(
    'SELECT count(*)::int AS rows, count(DISTINCT (subject, version))::int AS once FROM noted',
  );
  assert.deepEqual(counted, { rows: 12 * 14, once: 12 * 14 });
});

test('an event whose commit was lost with its connection counts as relayed', async () => {
  const worlds = [await insertWorld(db), await insertWorld(db)];
  for (const world of worlds) await updated(world, 2);
  const alone: Planner = async (tx, events, context) => {
    if (events.length > 1) throw new Error('not together');
    return noting(tx, events, context);
  };
  const losing: typeof db = {
    ...db,
    transaction: async (work) => {
      await db.transaction(work);
      throw new DatabaseUnavailable('the connection was lost');
    },
  };
  await relayBatch({ ...ctx, db: losing }, reactionsWith(alone));
  assert.deepEqual(await failedWork(db), []);
  const ids = worlds.map(({ booking }) => booking.id);
  assert.equal((await db.query('SELECT FROM noted WHERE subject = ANY ($1)', [ids])).length, 2);
});
