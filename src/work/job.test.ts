import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { workContext } from '../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { listDeadLetters } from './dead-letters/store.ts';
import { JobFailure, PermanentFailure, payloadText, runJob } from './job.ts';
import { notAsked, Postponed } from './postponed.ts';
import { waitsSinceOf } from './waits-since.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);

beforeEach(() => db.query('DELETE FROM dead_letter'));

function attempt(number: number, fail: unknown) {
  const work = { job: 'a', payload: { id: '1' }, attempt: number, maxAttempts: 8 };
  return runJob(ctx, () => Promise.reject(fail), work);
}

describe('a job that fails', () => {
  it('is thrown on to be run again, before its last attempt', async () => {
    await assert.rejects(attempt(7, new JobFailure('refused', 'Later.')), /Later/);
    assert.deepEqual(await listDeadLetters(db), []);
  });

  it('becomes a dead letter at its last attempt, whatever it threw', async () => {
    await attempt(8, new TypeError('x is not a function'));
    const [letter] = await listDeadLetters(db);
    assert.deepEqual([letter?.reason, letter?.detail, letter?.attempts], ['error', 'x is not a function', 8]);
    assert.equal(letter?.createdAt.getTime(), ctx.clock.now().getTime());
  });

  it('becomes a dead letter at once when it is pointless to run again', async () => {
    await attempt(1, new PermanentFailure('refused', 'Never.'));
    const [letter] = await listDeadLetters(db);
    assert.deepEqual([letter?.reason, letter?.detail, letter?.attempts], ['refused', 'Never.', 1]);
  });
});

describe('a job that is put back', () => {
  const job = async () => {
    const rows = await db.query<{ dueIn: number }>(
      `SELECT task_identifier AS name, attempts, max_attempts AS "maxAttempts", flags, key,
         extract(epoch FROM run_at - clock_timestamp())::float8 AS "dueIn" FROM graphile_worker.jobs`,
    );
    await db.query('SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))');
    assert.equal(rows.length, 1);
    const [{ dueIn = 0, key = null, ...rest } = {}] = rows as { dueIn?: number; key?: string | null }[];
    return { dueIn, key, rest };
  };
  const waitsSince = new Date(1_760_000_000_123);
  const work = { job: 'a', payload: { id: '1' }, flags: ['sms', 'workshop:1'], waitsSince };

  it('is a new one, later, with the attempts that were left', async () => {
    await runJob(ctx, () => Promise.reject(new Postponed(60_000, null)), {
      ...work,
      attempt: 1,
      maxAttempts: 8,
    });
    const { dueIn, key, rest } = await job();
    assert.deepEqual(rest, {
      name: 'a',
      attempts: 0,
      maxAttempts: 8,
      flags: { sms: true, 'workshop:1': true },
    });
    assert.ok(dueIn > 50 && dueIn <= 60, String(dueIn));
    assert.equal(waitsSinceOf({ key, created_at: new Date() }).getTime(), waitsSince.getTime());
    assert.deepEqual(await listDeadLetters(db), []);
  });

  it('also at its last attempt; and it may be marked anew', async () => {
    const again = new Postponed(1_000, ['sms:kannel', 'workshop:1']);
    await runJob(ctx, () => Promise.reject(again), { ...work, attempt: 8, maxAttempts: 8 });
    assert.deepEqual((await job()).rest, {
      name: 'a',
      attempts: 0,
      maxAttempts: 1,
      flags: { 'sms:kannel': true, 'workshop:1': true },
    });
    assert.deepEqual(await listDeadLetters(db), []);
  });

  it('comes back within bounds, and not together with others', () => {
    const delays = [undefined, 0, 5_000, 300_000].map((retryAfterMs) =>
      Array.from(
        { length: 20 },
        () => notAsked(retryAfterMs === undefined ? {} : { retryAfterMs }, null).delayMs,
      ),
    );
    const [none = [], zero = [], some = [], long = []] = delays;
    for (const each of [...none, ...zero]) assert.ok(each >= 1_000 && each <= 1_500);
    for (const each of some) assert.ok(each >= 5_000 && each <= 7_500);
    for (const each of long) assert.ok(each >= 60_000 && each <= 90_000);
    assert.ok(new Set(some).size > 10);
  });
});

it('a payload without the text that is asked for is a permanent failure', () => {
  assert.equal(payloadText({ id: '1' }, 'id'), '1');
  for (const payload of [null, undefined, [], 'id', {}, { id: 1 }]) {
    assert.throws(() => payloadText(payload, 'id'), PermanentFailure);
  }
});
