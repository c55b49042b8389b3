import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { workContext } from '../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { listDeadLetters } from '../dead-letters/store.ts';
import { addJobs } from '../store.ts';
import { startQueue } from './queue.ts';
import { failJobs, returnStrayJobs, takeJobs } from './store.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);

beforeEach(async () => {
  await db.query('TRUNCATE graphile_worker._private_jobs, dead_letter, worker');
});

interface Job {
  readonly id: string;
  readonly attempts: number;
  readonly lockedBy: string | null;
  readonly lastError: string | null;
  /** Whole seconds from now until it is due. */
  readonly dueIn: number;
}

async function queued(): Promise<Job[]> {
  return db.query<Job>(
    `SELECT id, attempts, locked_by AS "lockedBy", last_error AS "lastError",
       ceil(extract(epoch FROM run_at - clock_timestamp()))::int AS "dueIn"
     FROM graphile_worker.jobs ORDER BY id`,
  );
}

function many(count: number) {
  return Array.from({ length: count }, (_, index) => ({ job: 'a', payload: { n: String(index) } }));
}

/** Waits until the condition holds; fails after some seconds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await holds()) return;
    await pause(20);
  }
  assert.fail('it never came true');
}

describe('taking jobs', () => {
  const take = (workerId: string, limit = 100, done: string[] = []) =>
    takeJobs(db, { workerId, names: ['a'], limit, done });

  it('gives each to one worker, only jobs that it knows, only when they are due', async () => {
    await addJobs(db, [
      ...many(150),
      { job: 'unknown', payload: {} },
      { job: 'a', payload: { n: 'later' }, runAt: new Date(Date.UTC(2099, 0)) },
    ]);
    const taken = (await Promise.all([take('1'), take('2'), take('3')])).flat();
    assert.equal(taken.length, 150);
    assert.equal(new Set(taken.map((job) => job.id)).size, 150);
    assert.deepEqual(taken[0], { ...taken[0], job: 'a', attempt: 1, maxAttempts: 8 });
    assert.deepEqual(await take('1'), []);
  });

  it('deletes what is done in the same statement', async () => {
    await addJobs(db, many(3));
    const [first] = await take('1', 1);
    assert.equal((await take('1', 1, [first?.id ?? ''])).length, 1);
    assert.equal((await queued()).length, 2);
  });

  it('gives a failed job back for later, later each time, and never one that another holds by now', async () => {
    await addJobs(db, many(1));
    const [first] = await take('1');
    const failed = [{ id: first?.id ?? '', message: 'no' }];
    await failJobs(db, 'other', failed);
    assert.equal((await queued())[0]?.lockedBy, '1');
    await failJobs(db, '1', failed);
    assert.deepEqual(await queued(), [
      { id: first?.id, attempts: 1, lockedBy: null, lastError: 'no', dueIn: 3 },
    ]);
    await db.query('UPDATE graphile_worker._private_jobs SET run_at = clock_timestamp()');
    await take('1');
    await failJobs(db, '1', failed);
    assert.equal((await queued())[0]?.dueIn, 8);
  });

  it('returns what a lost answer left locked, without counting the attempt', async () => {
    await addJobs(db, many(2));
    const [first, second] = await take('1');
    await returnStrayJobs(db, '1', [first?.id ?? '']);
    const [kept, returned] = await queued();
    assert.deepEqual([kept?.lockedBy, kept?.attempts], ['1', 1]);
    assert.deepEqual([returned?.id, returned?.lockedBy, returned?.attempts], [second?.id, null, 0]);
  });
});

describe('the queue', () => {
  it('runs every job once, several at once', async () => {
    let atOnce = 0;
    let most = 0;
    const seen: unknown[] = [];
    await addJobs(db, many(200));
    const queue = await startQueue(ctx, {
      a: async (_, payload) => {
        most = Math.max(most, ++atOnce);
        await pause(2);
        seen.push(payload);
        atOnce--;
      },
    });
    await until(async () => (await queued()).length === 0);
    await queue.stop();
    assert.equal(new Set(seen.map((payload) => JSON.stringify(payload))).size, 200);
    assert.equal(seen.length, 200);
    assert.ok(most > 1 && most <= 24, `${most}`);
  });

  it('keeps a failed job for later and goes on; the last failure is a dead letter', async () => {
    await addJobs(db, [
      { job: 'a', payload: { n: '1' } },
      { job: 'a', payload: { n: '2' }, maxAttempts: 1 },
    ]);
    const queue = await startQueue(ctx, { a: () => Promise.reject(new Error('broken')) });
    await until(async () => (await queued())[0]?.lastError === 'broken' && (await queued()).length === 1);
    await queue.stop();
    const [letter, ...more] = await listDeadLetters(db);
    assert.deepEqual([letter?.payload, more.length], [{ n: '2' }, 0]);
  });

  it('lets the jobs under way end at a stop, and gives back those it has not begun', async () => {
    await addJobs(db, many(40));
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    let ended = 0;
    const queue = await startQueue(ctx, {
      a: async () => {
        begun++;
        await gate.promise;
        ended++;
      },
    });
    await until(() => begun === 24);
    const stopped = queue.stop();
    gate.resolve();
    await stopped;
    assert.deepEqual([begun, ended], [24, 24]);
    const left = await queued();
    assert.equal(left.length, 16);
    assert.ok(left.every((job) => job.lockedBy === null && job.attempts === 0));
    assert.deepEqual(await db.query('SELECT id FROM worker'), []);
  });

  it('picks up at a nudge what its poll would find later', async () => {
    let seen = 0;
    const queue = await startQueue(ctx, {
      a: async () => {
        seen++;
      },
    });
    await addJobs(db, many(3));
    queue.nudge();
    await until(() => seen === 3);
    await queue.stop();
  });

  it('survives the loss of its connections', async () => {
    let seen = 0;
    const queue = await startQueue(ctx, {
      a: async () => {
        seen++;
        await pause(5);
      },
    });
    await addJobs(db, many(200));
    queue.nudge();
    await until(() => seen > 30);
    await db.query(
      `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await until(async () => (await queued()).length === 0);
    await queue.stop();
    assert.ok(seen >= 200);
  });
});
