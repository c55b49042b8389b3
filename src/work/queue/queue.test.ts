import assert from 'node:assert/strict';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '#db/database.ts';
import { workContext } from '../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { loseOneJob } from '../../../test/harness/lost-answer.ts';
import { listDeadLetters } from '../dead-letters/store.ts';
import type { JobHandler } from '../job.ts';
import { addJobs } from '../store.ts';
import { type Queue, startQueue } from './queue.ts';

const { db, url } = await createTestDatabase();

beforeEach(async () => {
  await db.query('SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))');
  await db.query('TRUNCATE dead_letter, worker');
});

interface Job {
  readonly name: string;
  readonly attempts: number;
  readonly lockedBy: string | null;
  readonly lastError: string | null;
  /** Whole seconds from the last change until it is due. */
  readonly dueIn: number;
}

async function queued(): Promise<Job[]> {
  return db.query<Job>(
    `SELECT task_identifier AS name, attempts, locked_by AS "lockedBy", last_error AS "lastError",
       round(extract(epoch FROM run_at - updated_at))::float8 AS "dueIn"
     FROM graphile_worker.jobs ORDER BY id`,
  );
}

function many(count: number) {
  return Array.from({ length: count }, (_, index) => ({ job: 'a', payload: { n: String(index) } }));
}

/** Waits until the condition holds; fails after some seconds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await holds()) return;
    await pause(20);
  }
  assert.fail('it never came true');
}

const isDone = async () => (await queued()).length === 0;

async function start(t: TestContext, a: JobHandler, database: Database = db): Promise<Queue> {
  const queue = await startQueue(workContext(database), { a });
  t.after(() => queue.stop());
  return queue;
}

function database(t: TestContext, applicationName: string): Database {
  const own = openDatabase({ url, poolSize: 5, applicationName });
  t.after(() => own.close());
  return own;
}

describe('the queue', () => {
  it('runs every job once, several at once', async (t) => {
    let atOnce = 0;
    let most = 0;
    const seen: unknown[] = [];
    await addJobs(db, many(200));
    await start(t, async (_, payload) => {
      most = Math.max(most, ++atOnce);
      await pause(2);
      seen.push(payload);
      atOnce--;
    });
    await until(isDone);
    assert.equal(new Set(seen.map((payload) => JSON.stringify(payload))).size, 200);
    assert.equal(seen.length, 200);
    assert.ok(most > 1 && most <= 20, `${most}`);
  });

  it('shares the jobs with other processes', async (t) => {
    const seen: unknown[] = [];
    const run: JobHandler = async (_, payload) => {
      seen.push(payload);
    };
    await addJobs(db, many(100));
    await Promise.all([start(t, run), start(t, run), start(t, run)]);
    await until(isDone);
    assert.equal(seen.length, 100);
  });

  it('leaves alone the jobs that it does not know and those that are not due', async (t) => {
    await addJobs(db, [
      { job: 'unknown', payload: {} },
      { job: 'a', payload: { n: 'later' }, runAt: new Date(Date.UTC(2099, 0)) },
      { job: 'a', payload: { n: 'now' } },
    ]);
    const seen: unknown[] = [];
    await start(t, async (_, payload) => {
      seen.push(payload);
    });
    await until(async () => (await queued()).length === 2);
    assert.deepEqual(seen, [{ n: 'now' }]);
    assert.deepEqual(
      (await queued()).map((job) => job.attempts),
      [0, 0],
    );
  });

  it('keeps a failed job for later and goes on; the last failure is a dead letter', async (t) => {
    await addJobs(db, [
      { job: 'a', payload: { n: '1' } },
      { job: 'a', payload: { n: '2' }, maxAttempts: 1 },
    ]);
    await start(t, () => Promise.reject(new Error('broken')));
    await until(async () => {
      const jobs = await queued();
      return jobs.length === 1 && jobs[0]?.lastError === 'broken';
    });
    assert.deepEqual(await queued(), [
      { name: 'a', attempts: 1, lockedBy: null, lastError: 'broken', dueIn: 3 },
    ]);
    const [letter, ...more] = await listDeadLetters(db);
    assert.deepEqual([letter?.payload, more.length], [{ n: '2' }, 0]);
  });

  it('lets the jobs under way end at a stop, and takes no others', async () => {
    await addJobs(db, many(40));
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    let ended = 0;
    const queue = await startQueue(workContext(db), {
      a: async () => {
        begun++;
        await gate.promise;
        ended++;
      },
    });
    await until(() => begun === 20);
    const stopped = queue.stop();
    gate.resolve();
    await stopped;
    assert.deepEqual([begun, ended], [20, 20]);
    const left = await queued();
    assert.equal(left.length, 20);
    assert.ok(left.every((job) => job.lockedBy === null && job.attempts === 0 && job.lastError === null));
    assert.deepEqual(await db.query('SELECT id FROM worker'), []);
  });

  it('is told of new jobs: they do not wait for its poll, once a second', async (t) => {
    let seen = 0;
    await start(t, async () => {
      seen++;
    });
    const startedAt = performance.now();
    for (let count = 1; count <= 6; count++) {
      await addJobs(db, many(1));
      await until(() => seen === count);
    }
    assert.ok(performance.now() - startedAt < 3_000);
  });

  it('survives the loss of its connections', async (t) => {
    let seen = 0;
    const run: JobHandler = async () => {
      seen++;
      await pause(5);
    };
    await addJobs(db, many(200));
    await start(t, run, database(t, 'cut'));
    await until(() => seen > 30);
    await db.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut'");
    await until(isDone);
    assert.ok(seen >= 200);
  });

  it('runs a job again that it was given without hearing of it', async (t) => {
    const seen: string[] = [];
    const lossy = database(t, 'lossy');
    const isLost = loseOneJob(lossy.pool);
    await addJobs(db, many(3));
    const queue = await start(
      t,
      async (_, payload) => {
        seen.push(JSON.stringify(payload));
      },
      lossy,
    );
    const id = queue.workerId;
    await until(isDone);
    assert.ok(isLost());
    assert.notEqual(queue.workerId, id);
    assert.equal(new Set(seen).size, 3);
  });

  it('does not start on a database that is away', async (t) => {
    const away = openDatabase({ url: 'postgres://127.0.0.1:1/none', poolSize: 2, applicationName: 'away' });
    t.after(() => away.close());
    await assert.rejects(startQueue(workContext(away), { a: async () => undefined }), /no connection/);
  });
});
