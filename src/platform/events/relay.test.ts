import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { newId } from '#base/values/id.ts';
import { retryDeadLetter } from '#dead-letters.ts';
import { DatabaseUnavailable } from '#platform/db/errors.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { alone, triesAtMost } from '#platform/work/failed/alone.ts';
import { workBacklog } from '#platform/work/store.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { reactions as allReactions } from '#reactions.ts';
import { happen, insertWorld, type World, workContext } from '../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { failedWork } from '../../../test/harness/failed-work.ts';
import { batchSize, relayAgain, relayBatch, relayJob } from './batch.ts';
import { purgeEvents } from './purge.ts';
import type { Planner, Reactions } from './reaction.ts';
import { eventKinds } from './record.ts';
import { startRelay } from './relay.ts';
import { setAsideEvents } from './store.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);
let world: World;

/** Notes the events that it gets in the database, so that a rolled-back batch leaves no trace. */
const noting: Planner = async (tx, events) => {
  await tx.query('INSERT INTO noted SELECT unnest($1::uuid[])', [events.map((event) => event.id)]);
};

function reactionsWith(planner: Planner): Reactions {
  return { ...allReactions, 'booking.created': [planner] };
}

async function noted(): Promise<string[]> {
  const rows = await db.query<{ id: string }>('SELECT id FROM noted ORDER BY id');
  return rows.map((row) => row.id);
}

beforeEach(async () => {
  await db.query('DELETE FROM event');
  await db.query('TRUNCATE message, queued_message CASCADE');
  await db.query('DELETE FROM dead_letter');
  await db.query('DELETE FROM failed_work');
  await db.query('DROP TABLE IF EXISTS noted');
  await db.query('CREATE TABLE noted (id uuid NOT NULL)');
  world = await insertWorld(db);
});

describe('the relay', () => {
  it('has a list of reactions, which may be empty, for each kind of event', () => {
    assert.deepEqual(Object.keys(allReactions).sort(), [...eventKinds].sort());
  });

  it('hands each event to the planners once when two relays race', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 450; count++) ids.push(await happen(db, world));
    // An empty batch does not mean that none is left: the other relay may hold locks for a moment.
    const race = async () => {
      do {
        while ((await relayBatch(ctx, reactionsWith(noting))) > 0);
      } while ((await workBacklog(db)).eventsWaiting > 0);
    };
    await Promise.all([race(), race(), race()]);
    assert.deepEqual(await noted(), ids.toSorted());
    assert.equal((await workBacklog(db)).eventsWaiting, 0);
  });

  it('finds an event whose id is older than those already relayed', async () => {
    const early = newId();
    const late = await happen(db, world);
    await relayBatch(ctx, reactionsWith(noting));
    await happen(db, world, 'booking.created', { id: early });
    await relayBatch(ctx, reactionsWith(noting));
    assert.deepEqual(await noted(), [early, late].toSorted());
  });

  it('skips an event that another transaction has not committed, and finds it afterwards', async () => {
    await db.transaction(async (tx) => {
      await happen(tx, world);
      assert.equal(await relayBatch(ctx, reactionsWith(noting)), 0);
    });
    assert.equal(await relayBatch(ctx, reactionsWith(noting)), 1);
  });

  it('tries an event whose planner throws again by itself, then makes it a dead letter, and relays the others', async () => {
    const [first, poison, last] = [await happen(db, world), await happen(db, world), await happen(db, world)];
    const planner: Planner = async (tx, events, context) => {
      if (events.some((event) => event.id === poison)) throw new Error('cannot plan this');
      return noting(tx, events, context);
    };
    await relayBatch(ctx, reactionsWith(planner));
    assert.deepEqual(await noted(), [first, last]);
    assert.equal((await listDeadLetters(db)).length, 0);
    const again = () => relayAgain(ctx, reactionsWith(planner), poison);
    for (let tries = 1; tries < triesAtMost; tries++) await alone(ctx, relayJob, poison, again);
    const [letter, ...more] = await listDeadLetters(db);
    assert.equal(more.length, 0);
    assert.deepEqual([letter?.job, letter?.reason, letter?.attempts], ['relay', 'error', triesAtMost]);
    assert.deepEqual(letter?.payload, { eventId: poison });
    assert.equal(letter?.detail, 'cannot plan this');
    assert.equal(await relayBatch(ctx, reactionsWith(planner)), 0);
  });

  it('notes the failure of each event of a batch when a statement of a planner fails', async () => {
    await happen(db, world);
    await happen(db, world);
    const planner: Planner = async (tx) => {
      await tx.query('SELECT 1 / 0');
    };
    await relayBatch(ctx, reactionsWith(planner));
    assert.deepEqual(
      (await failedWork(db)).map(({ job, tries, deferrals }) => [job, tries, deferrals]),
      [
        ['relay', 1, 0],
        ['relay', 1, 0],
      ],
    );
  });

  it('counts no try of an event that the database was in the way of, and relays the others', async () => {
    const [stuck, other] = [await happen(db, world), await happen(db, world)];
    const planner: Planner = async (tx, events, context) => {
      if (events.some(({ id }) => id === stuck))
        throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
      return noting(tx, events, context);
    };
    await relayBatch(ctx, reactionsWith(planner));
    assert.deepEqual(await noted(), [other]);
    assert.equal((await workBacklog(db)).eventsWaiting, 0);
    const again = () => relayAgain(ctx, reactionsWith(planner), stuck);
    for (let n = 0; n < 2 * triesAtMost; n++) await alone(ctx, relayJob, stuck, again);
    const [row] = await failedWork(db, stuck);
    assert.deepEqual([row?.tries, row?.deferrals, row?.isGivenUp], [0, 2 * triesAtMost + 1, false]);
    assert.deepEqual(await listDeadLetters(db), []);
    await Promise.all([1, 2].map(() => relayAgain(ctx, reactionsWith(noting), stuck)));
    await relayAgain(ctx, reactionsWith(noting), stuck);
    assert.deepEqual(await noted(), [stuck, other].toSorted(), 'once, however often it is tried');
    assert.deepEqual(await failedWork(db), []);
  });

  it('sets aside what waits and what has failed, once a backup is restored', async () => {
    const failed = await happen(db, world);
    await relayBatch(
      ctx,
      reactionsWith(() => Promise.reject(new Error('not today'))),
    );
    const waiting = await happen(db, world);
    assert.equal(await setAsideEvents(db, ctx.clock.now()), 2);
    assert.deepEqual(
      (await listDeadLetters(db)).map(({ payload, reason }) => [payload['eventId'], reason]).sort(),
      [failed, waiting].map((id) => [id, 'restored']).sort(),
    );
    assert.deepEqual([await failedWork(db), await relayBatch(ctx, reactionsWith(noting))], [[], 0]);
  });

  it('leaves events as they are while the database is away', async () => {
    await happen(db, world);
    const away = () => Promise.reject(new DatabaseUnavailable('no connection to PostgreSQL'));
    const broken = { ...ctx, db: { ...db, transaction: away, query: away } };
    await assert.rejects(relayBatch(broken, reactionsWith(noting)), DatabaseUnavailable);
    assert.deepEqual([(await workBacklog(db)).eventsWaiting, await failedWork(db)], [1, []]);
  });

  it('relays the event of a dead letter again when it is retried', async () => {
    const poison = await happen(db, world);
    const failing = reactionsWith(() => Promise.reject(new Error('not today')));
    await relayBatch(ctx, failing);
    const again = () => relayAgain(ctx, failing, poison);
    for (let tries = 1; tries < triesAtMost; tries++) await alone(ctx, relayJob, poison, again);
    const [letter] = await listDeadLetters(db);
    assert.equal(await retryDeadLetter(ctx, actors.operator, letter?.id ?? ''), true);
    assert.deepEqual(
      (await failedWork(db)).map(({ tries }) => tries),
      [0],
    );
    await relayAgain(ctx, reactionsWith(noting), poison);
    assert.deepEqual(await noted(), [poison]);
    assert.equal((await listDeadLetters(db)).length, 0);
  });

  it('queues the messages of a batch in its own transaction', async () => {
    await happen(db, world);
    const { workshopId } = world;
    const planner: Planner = async (tx) => {
      const message = { channel: 'sms', audience: 'workshop', recipient: '+61255501234', body: 'x' } as const;
      const options = { now: ctx.clock.now(), actor: actors.schedule, exemptCountries: [] };
      await enqueue(tx, [{ kind: 'inboxDigest', workshopId, ...message }], options);
    };
    const queued = async () => (await db.query('SELECT FROM queued_message')).length;
    const failing: Planner = () => Promise.reject(new Error('after the messages'));
    await relayBatch(ctx, { ...allReactions, 'booking.created': [planner, failing] });
    assert.equal(await queued(), 0);
    await happen(db, world);
    await relayBatch(ctx, reactionsWith(planner));
    assert.equal(await queued(), 1);
  });

  it('runs as a loop: full batches without a pause, then on a nudge, until it is stopped', async () => {
    const total = batchSize * 2 + 1;
    await db.query(
      `INSERT INTO event (id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at)
       SELECT gen_random_uuid(), 'booking.created', $1, $2, $3, 1, '{}', '2030-01-15' FROM generate_series(1, $4::int)`,
      [world.partnerId, world.workshopId, world.booking.id, total],
    );
    let seen = 0;
    let reached = Promise.withResolvers<void>();
    let goal = total;
    const counting: Planner = async (_tx, events) => {
      seen += events.length;
      if (seen >= goal) reached.resolve();
    };
    const relay = startRelay(ctx, reactionsWith(counting));
    await reached.promise;
    goal = total + 1;
    reached = Promise.withResolvers();
    await happen(db, world);
    relay.nudge();
    await reached.promise;
    await relay.stop();
    await happen(db, world);
    relay.nudge();
    assert.equal(seen, total + 1);
    assert.equal((await workBacklog(db)).eventsWaiting, 1);
  });

  it('deletes events 30 days after they were relayed, never waiting ones (specification: Erasure and retention 4)', async () => {
    const [old, fresh, waiting] = [await happen(db, world), await happen(db, world), await happen(db, world)];
    await db.query("UPDATE event SET relayed_at = clock_timestamp() - interval '31 days' WHERE id = $1", [
      old,
    ]);
    await db.query("UPDATE event SET relayed_at = clock_timestamp() - interval '29 days' WHERE id = $1", [
      fresh,
    ]);
    assert.equal(await purgeEvents(ctx), 1);
    const left = await db.query<{ id: string }>('SELECT id FROM event ORDER BY id');
    assert.deepEqual(
      left.map((row) => row.id),
      [fresh, waiting],
    );
  });
});
