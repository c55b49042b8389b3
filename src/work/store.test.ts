import assert from 'node:assert/strict';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { runOnce } from 'graphile-worker';
import { newIdSql } from '#db/new-id.ts';
import { isId } from '#values/id.ts';
import { happen, insertWorld, workContext } from '../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import {
  addDeadLetter,
  discardDeadLetter,
  listDeadLetters,
  retryDeadLetter,
  showDeadLetter,
} from './dead-letters/store.ts';
import { runnerOptions, tasksOf } from './queue/runner.ts';
import { addJobs, beat, buryExhaustedJobs, forgetDeadWorkers, forgetWorker, workBacklog } from './store.ts';

const { db } = await createTestDatabase();
const at = new Date('2030-01-15T00:00:00.000Z');

beforeEach(async () => {
  await db.query('TRUNCATE dead_letter, worker, notification, event');
  await db.query('SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))');
});

interface Job {
  readonly job: string;
  readonly payload: object;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly lockedBy: string | null;
}

/** The payload of a locked job is not told (null). */
async function queued(): Promise<Job[]> {
  return db.query<Job>(
    `SELECT task_identifier AS job, free.payload, jobs.attempts, jobs.max_attempts AS "maxAttempts",
       jobs.locked_by AS "lockedBy"
     FROM graphile_worker.jobs AS jobs
     LEFT JOIN graphile_worker.reschedule_jobs(ARRAY(SELECT id FROM graphile_worker.jobs)) AS free ON free.id = jobs.id
     ORDER BY jobs.id`,
  );
}

/** A worker takes the `count` jobs there are and holds them until the test ends. Returns what they are locked by. */
async function hold(t: TestContext, count: number): Promise<string> {
  const ctx = workContext(db);
  const gate = Promise.withResolvers<void>();
  const held = runOnce(runnerOptions(ctx, count), tasksOf(ctx, { a: () => gate.promise }));
  t.after(async () => {
    gate.resolve();
    await held;
  });
  // Only looks: `queued` locks the jobs that are free, and a fetch passes over jobs that are locked.
  for (let tries = 0; tries < 400; tries++) {
    const holders = await db.query<{ id: string | null }>('SELECT locked_by AS id FROM graphile_worker.jobs');
    const id = holders[0]?.id;
    if (id && holders.every((job) => job.id === id)) return id;
    await pause(10);
  }
  return assert.fail('the jobs were not taken');
}

describe('adding jobs', () => {
  it('adds them all, with eight attempts unless told otherwise', async () => {
    await addJobs(db, []);
    await addJobs(db, [
      { job: 'a', payload: { id: '1' } },
      { job: 'b', payload: { id: '2' }, maxAttempts: 3, runAt: new Date(Date.UTC(2099, 0)) },
    ]);
    assert.deepEqual(await queued(), [
      { job: 'a', payload: { id: '1' }, attempts: 0, maxAttempts: 8, lockedBy: null },
      { job: 'b', payload: { id: '2' }, attempts: 0, maxAttempts: 3, lockedBy: null },
    ]);
  });
});

describe('the backlog', () => {
  it('counts what waits', async () => {
    assert.deepEqual(await workBacklog(db), {
      eventsWaiting: 0,
      oldestEventSeconds: 0,
      jobsWaiting: 0,
      deadLetters: 0,
    });
    const world = await insertWorld(db);
    const minuteAgo = `${(Date.now() - 60_000)
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`;
    await happen(db, world, 'booking.created', { id: minuteAgo });
    await happen(db, world);
    await addJobs(db, [{ job: 'a', payload: {} }]);
    await addDeadLetter(db, { job: 'a', payload: {}, reason: 'error', detail: null, attempts: 1, at });
    const { oldestEventSeconds, ...counts } = await workBacklog(db);
    assert.deepEqual(counts, { eventsWaiting: 2, jobsWaiting: 1, deadLetters: 1 });
    assert.ok(oldestEventSeconds > 59 && oldestEventSeconds < 90, `${oldestEventSeconds}`);
  });
});

describe('workers', () => {
  it('that beat keep their jobs; one that fell silent loses them', async (t) => {
    await addJobs(db, [{ job: 'a', payload: {} }]);
    const id = await hold(t, 1);
    await beat(db, id);
    assert.deepEqual(await forgetDeadWorkers(db, 30_000), []);
    assert.equal((await queued())[0]?.lockedBy, id);

    await db.query("UPDATE worker SET seen_at = clock_timestamp() - interval '31 seconds'");
    assert.deepEqual(await forgetDeadWorkers(db, 30_000), [id]);
    assert.equal((await queued())[0]?.lockedBy, null);
    assert.equal((await db.query('SELECT id FROM worker')).length, 0);
    await beat(db, id);
    assert.equal((await db.query('SELECT id FROM worker')).length, 1);
  });

  it('that died before their first beat lose their jobs too, but not in their first seconds', async (t) => {
    await addJobs(db, [{ job: 'a', payload: {} }]);
    const id = await hold(t, 1);
    assert.deepEqual(await forgetDeadWorkers(db, 30_000), []);
    assert.equal((await queued())[0]?.lockedBy, id);
    assert.deepEqual(await forgetDeadWorkers(db, 0), [id]);
    assert.equal((await queued())[0]?.lockedBy, null);
  });

  it('that stop leave nothing behind', async (t) => {
    await addJobs(db, [{ job: 'a', payload: {} }]);
    const id = await hold(t, 1);
    await beat(db, id);
    await forgetWorker(db, id);
    assert.equal((await queued())[0]?.lockedBy, null);
    assert.equal((await db.query('SELECT id FROM worker')).length, 0);
  });
});

describe('jobs without attempts left', () => {
  it('become dead letters, once, unless a worker holds them', async (t) => {
    await addJobs(db, [
      { job: 'a', payload: { id: '1' }, maxAttempts: 1 },
      { job: 'a', payload: { id: '2' }, maxAttempts: 2 },
    ]);
    const id = await hold(t, 2);
    assert.equal(await buryExhaustedJobs(db, at), 0);
    await forgetWorker(db, id);
    assert.equal(await buryExhaustedJobs(db, at), 1);
    assert.equal(await buryExhaustedJobs(db, at), 0);
    const [letter] = await listDeadLetters(db);
    assert.deepEqual([letter?.job, letter?.payload, letter?.reason], ['a', { id: '1' }, 'workerDied']);
    assert.deepEqual(
      (await queued()).map((job) => job.payload),
      [{ id: '2' }],
    );
  });
});

describe('dead letters', () => {
  const failure = { job: 'a', payload: { id: '1' }, reason: 'refused', detail: 'No.', attempts: 8, at };

  it('are listed newest first, by pages, and shown', async () => {
    for (const id of ['1', '2', '3']) {
      await addDeadLetter(db, { ...failure, payload: { id } });
      // Ids of the same millisecond have no order.
      await db.query('SELECT pg_sleep(0.002)');
    }
    const all = await listDeadLetters(db);
    assert.deepEqual(
      all.map((letter) => letter.payload['id']),
      ['3', '2', '1'],
    );
    const page = await listDeadLetters(db, { limit: 1, before: all[0]?.id ?? null });
    assert.deepEqual(page, [all[1]]);
    assert.deepEqual(await showDeadLetter(db, all[2]?.id ?? ''), all[2]);
    assert.equal(all[0]?.createdAt.toISOString(), at.toISOString());
  });

  it('tell of the same work once, with its newest failure', async () => {
    await addDeadLetter(db, failure);
    await addDeadLetter(db, { ...failure, reason: 'invalidNumber', attempts: 9 });
    const [letter, ...more] = await listDeadLetters(db);
    assert.equal(more.length, 0);
    assert.deepEqual([letter?.reason, letter?.attempts], ['invalidNumber', 9]);
  });

  it('go back into the queue with all attempts before them', async () => {
    await addDeadLetter(db, failure);
    const [letter] = await listDeadLetters(db);
    const id = letter?.id ?? '';
    assert.deepEqual([await retryDeadLetter(db, id), await retryDeadLetter(db, id)], [true, false]);
    assert.equal(await showDeadLetter(db, id), null);
    assert.deepEqual(await queued(), [
      { job: 'a', payload: { id: '1' }, attempts: 0, maxAttempts: 8, lockedBy: null },
    ]);
  });

  it('are discarded for good', async () => {
    await addDeadLetter(db, failure);
    const [letter] = await listDeadLetters(db);
    const id = letter?.id ?? '';
    assert.deepEqual([await discardDeadLetter(db, id), await discardDeadLetter(db, id)], [true, false]);
    assert.deepEqual(await queued(), []);
  });
});

it('ids made in SQL are UUIDv7 of this instant', async () => {
  const rows = await db.query<{ id: string }>(`SELECT ${newIdSql} AS id FROM generate_series(1, 200)`);
  assert.equal(new Set(rows.map((row) => row.id)).size, 200);
  for (const { id } of rows) {
    assert.ok(isId(id));
    assert.match(id, /^.{14}7.{4}[89ab]/);
    assert.ok(Math.abs(Number.parseInt(id.slice(0, 13).replace('-', ''), 16) - Date.now()) < 60_000);
  }
});
