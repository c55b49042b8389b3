/** What waits by its gateways, long backlogs out of the way, and other gateways for what waits. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { workContext } from '../../../test/fixtures/booking-events.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { addDeadLetter, listDeadLetters, retryDeadLetter } from '../dead-letters/store.ts';
import { flagsOf, passageOf, readPassage, workshopFlag } from '../flags.ts';
import { addJobs, remarkSmsJobs } from '../store.ts';
import type { Admission } from './admission.ts';
import { dueAtMost, parkBacklogs } from './parking.ts';
import { park, takeBack, waitingSends } from './store.ts';

const { db } = await createTestDatabase();
const ctx = workContext(db);

beforeEach(async () => {
  await db.query('SELECT graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs))');
  await db.query('DELETE FROM dead_letter');
});

const job = (n: number, flags: readonly string[], more = {}) => ({
  job: 'a',
  payload: { n: `${n}` },
  flags,
  ...more,
});
const many = (count: number, flags: readonly string[]) =>
  Array.from({ length: count }, (_, n) => job(n, flags));
const waiting = async () =>
  (await waitingSends(db)).map(({ passage, count, due, parked }) => [passage, count, due, parked]);

test('flags say what a message goes through, and can be read', () => {
  const workshopId = 'w';
  assert.deepEqual(flagsOf({ channel: 'email', workshopId, smsGateways: ['a'] }), ['email', 'workshop:w']);
  assert.deepEqual(flagsOf({ channel: 'sms', workshopId, smsGateways: null }), ['sms', 'workshop:w']);
  for (const smsGateways of [null, ['a'], ['a', 'b']]) {
    const passage = { channel: 'sms', smsGateways } as const;
    assert.deepEqual(readPassage(passageOf(passage)), passage);
  }
  for (const flag of ['workshop:w', 'smsx', '']) assert.equal(readPassage(flag), null);
});

test('what waits is counted by what it goes through, whosever it is; work that sends nothing is none', async () => {
  const future = new Date(Date.UTC(2099, 0));
  const long = new Date(Date.now() - 3_600_000);
  await addJobs(db, [
    job(1, ['sms', 'workshop:1']),
    job(2, ['sms', 'workshop:2'], { runAt: future }),
    job(3, ['email', 'workshop:1'], { waitsSince: long }),
    job(4, ['sms:a,b', 'workshop:3']),
    { job: 'a', payload: { n: '5' } },
  ]);
  assert.deepEqual(await waiting(), [
    ['email', 1, 1, 0],
    ['sms', 2, 1, 0],
    ['sms:a,b', 1, 1, 0],
  ]);
  const [email, sms] = await waitingSends(db);
  assert.ok(email && Math.abs(email.oldestSeconds - 3_600) < 60);
  assert.ok(sms && sms.oldestSeconds < 60);
});

test('parked jobs are due no more, but for the oldest, and come back before those that came later', async () => {
  await addJobs(db, many(10, ['sms']));
  await addJobs(db, many(3, ['email']));
  assert.equal(await park(db, 'sms', 4), 6);
  assert.deepEqual(await waiting(), [
    ['email', 3, 3, 0],
    ['sms', 10, 4, 6],
  ]);
  await addJobs(db, [job(99, ['sms'])]);
  assert.equal(await takeBack(db, 'sms', 5), 5);
  assert.deepEqual((await waiting())[1], ['sms', 11, 10, 1]);
  const order = await db.query<{ n: number }>(
    `SELECT attempts AS n FROM graphile_worker.jobs WHERE flags ? 'sms' AND priority = 0 ORDER BY run_at DESC LIMIT 1`,
  );
  assert.equal(order.length, 1);
  assert.equal(await takeBack(db, 'sms', 5), 1);
});

test('a long backlog is parked while its gateway takes nothing, and taken back as it shrinks', async () => {
  const closed = new Set<string>();
  const admission = { isClosed: (flag: string) => closed.has(flag) } as Admission;
  await addJobs(db, many(3 * dueAtMost, ['sms']));
  await parkBacklogs(ctx, admission);
  assert.deepEqual(await waiting(), [['sms', 3 * dueAtMost, 3 * dueAtMost, 0]]);
  closed.add('sms');
  await parkBacklogs(ctx, admission);
  await parkBacklogs(ctx, admission);
  assert.deepEqual(await waiting(), [['sms', 3 * dueAtMost, dueAtMost, 2 * dueAtMost]]);
  await db.query(
    `SELECT count(*) FROM graphile_worker.complete_jobs(ARRAY(
       SELECT id FROM graphile_worker.jobs WHERE priority = 0 LIMIT 1500))`,
  );
  await Promise.all([parkBacklogs(ctx, admission), parkBacklogs(ctx, admission)]);
  const [[, count, due, parked] = []] = await waiting();
  assert.equal(count, 3 * dueAtMost - 1_500);
  assert.ok(Number(due) >= 500 + dueAtMost && Number(due) + Number(parked) === count, `${due} ${parked}`);
});

test("a workshop's waiting SMS are given its new gateways, parked ones too; not its e-mails, nor another's", async () => {
  const future = new Date(Date.UTC(2099, 0));
  await addJobs(db, [
    job(1, ['sms:a', 'workshop:1'], { maxAttempts: 5 }),
    job(2, ['sms:a', 'workshop:1'], { runAt: future, waitsSince: new Date(0) }),
    job(3, ['email', 'workshop:1']),
    job(4, ['sms:a', 'workshop:2']),
    job(5, ['sms:a', 'workshop:1']),
  ]);
  await db.query(
    `SELECT count(*) FROM graphile_worker.reschedule_jobs(ARRAY(
       SELECT id FROM graphile_worker.jobs ORDER BY id DESC LIMIT 1), priority := 1, run_at := '2099-02-01')`,
  );
  for (const workshop of ['1', '2']) {
    const letter = { payload: { workshop }, flags: ['sms:a', `workshop:${workshop}`], at: ctx.clock.now() };
    await addDeadLetter(db, { job: 'a', reason: 'refused', detail: null, attempts: 8, ...letter });
  }
  assert.equal(await remarkSmsJobs(db, workshopFlag('1'), ['sms:b', 'workshop:1']), 3);
  assert.deepEqual(await waiting(), [
    ['email', 1, 1, 0],
    ['sms:a', 1, 1, 0],
    ['sms:b', 3, 2, 0],
  ]);
  const jobs = await db.query(
    `SELECT max_attempts AS max, run_at > clock_timestamp() AS later, split_part(key, ':', 2)::float8 = 0 AS old
     FROM graphile_worker.jobs WHERE flags ? 'sms:b' ORDER BY max_attempts, run_at DESC`,
  );
  assert.deepEqual(jobs, [
    { max: 5, later: false, old: false },
    { max: 8, later: true, old: true },
    { max: 8, later: false, old: false },
  ]);
  // A letter that is retried goes the way that is right by then.
  for (const { id } of await listDeadLetters(db)) assert.equal(await retryDeadLetter(db, id), true);
  assert.deepEqual(await waiting(), [
    ['email', 1, 1, 0],
    ['sms:a', 2, 2, 0],
    ['sms:b', 4, 3, 0],
  ]);
});
