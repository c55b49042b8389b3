/**
 * One piece of work never stops the next. Where a job works on pieces, one of them throws: the others are done, and it is tried again by
 * itself, becomes a dead letter and can be retried. Where it runs statements over sets, what these are made of can't fail for what a row
 * holds, and one that fails stops none of the others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actors } from '#base/values/actor.ts';
import { discardDeadLetter, retryDeadLetter } from '#dead-letters.ts';
import { listDeadLetters } from '#platform/work/dead-letters/store.ts';
import { triesAtMost } from '#platform/work/failed/alone.ts';
import { jobs, schedule } from '#work.ts';
import { type Pieces, scheduledWork } from '../test/fixtures/scheduled-work.ts';
import { faultsOf, recordingDatabase } from '../test/fixtures/set-statements.ts';
import { failedWork, tryFailedAgain } from '../test/harness/failed-work.ts';
import { expectErrors } from '../test/harness/log.ts';

const { world, context, cases } = await scheduledWork();
const { db, clock } = world;
expectErrors(/poisoned/);

const runOf = (name: string) => schedule.find((job) => job.name === name)?.run ?? assert.fail(name);
const setPoison = ({ table, on, where }: Pieces['poison'], of: string) =>
  db.pool.query(
    `CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN IF ${where(of)} THEN RAISE EXCEPTION 'poisoned'; END IF; RETURN coalesce(NEW, OLD); END $$;
     CREATE TRIGGER a_poison BEFORE ${on} ON ${table} FOR EACH ROW EXECUTE FUNCTION poison()`,
  );
const cure = ({ table }: Pieces['poison']) =>
  db.pool.query(`DROP TRIGGER a_poison ON ${table}; DROP FUNCTION poison()`);

/** Has what failed tried until it is given up, and returns the id of its dead letter. */
async function giveUp(job: string, subjectId: string, ctx = context): Promise<string> {
  for (let tries = 1; tries < triesAtMost; tries++) await tryFailedAgain(ctx);
  assert.deepEqual(
    (await failedWork(db, subjectId)).map(({ tries, isGivenUp }) => [tries, isGivenUp]),
    [[triesAtMost, true]],
  );
  const letter = (await listDeadLetters(db)).find(({ payload }) => Object.values(payload)[0] === subjectId);
  assert.deepEqual([letter?.job, letter?.reason, letter?.attempts], [job, 'error', triesAtMost]);
  assert.match(letter?.detail ?? '', /poisoned/);
  return letter?.id ?? '';
}

test('every job of the schedule has a case, and all failed work a way to be done again', () => {
  assert.deepEqual(Object.keys(cases).sort(), schedule.map(({ name }) => name).sort());
  for (const each of Object.values(cases))
    if (!('setWise' in each)) for (const { job } of each) assert.ok(jobs[job]?.alone, job);
  for (const [job, { alone }] of Object.entries(jobs)) assert.equal(alone?.job ?? job, job);
});

for (const [name, each] of Object.entries(cases)) {
  if ('setWise' in each) {
    test(`${name}: ${each.setWise}`, async () => {
      const run = runOf(name);
      const { recording, texts } = recordingDatabase(db);
      await run({ ...context, db: recording() });
      assert.ok(texts.length > 0);
      const all = new Set(texts);
      if (each.inOrder === true) return;
      for (const text of all) assert.deepEqual(await faultsOf(db, text), [], text);
      // Whichever of them fails, all others are run.
      for (const failing of all) {
        texts.length = 0;
        await assert.rejects(run({ ...context, db: recording(failing) }), /poisoned/);
        assert.deepEqual(new Set(texts), all);
      }
    });
    continue;
  }
  for (const pieces of each) {
    const { job, make, poison, isDone } = pieces;
    test(`${name}: a piece that throws stops no other, and is tried again by itself (${job})`, async () => {
      const ctx = pieces.context?.() ?? context;
      const run = runOf(name);
      const [poisoned, other] = await make();
      await setPoison(poison, poisoned);
      await run(ctx);
      assert.deepEqual([await isDone(poisoned), await isDone(other)], [false, true]);
      // The schedule leaves it alone until it is due.
      await run(ctx);
      assert.deepEqual(
        (await failedWork(db, poisoned)).map(({ job: its, tries }) => [its, tries]),
        [[job, 1]],
      );
      const letterId = await giveUp(job, poisoned, ctx);
      await cure(poison);
      await run(ctx);
      assert.equal(await isDone(poisoned), false, 'it waits for the operator');
      assert.equal(await retryDeadLetter(ctx, actors.operator, letterId), true);
      await runOf('retryFailedWork')(ctx);
      assert.equal(await isDone(poisoned), true);
      assert.deepEqual(await failedWork(db, poisoned), []);
    });
  }
}

test('analyseYoungTables: a table that can not be analysed stops no other', async () => {
  const young = ['young_1', 'young_2'];
  for (const table of young)
    await db.pool.query(`CREATE TABLE ${table} AS SELECT n FROM generate_series(1, 400) AS n`);
  const run = runOf('analyseYoungTables');
  const { recording, texts } = recordingDatabase(db);
  const isSeen = async () =>
    (
      await db.query<{ n: number }>(
        `SELECT sum(n_live_tup)::int AS n FROM pg_stat_user_tables WHERE relname = ANY ($1)`,
        [young],
      )
    )[0]?.n === 800;
  while (!(await isSeen())) await db.query('SELECT pg_stat_force_next_flush()').catch(() => undefined);
  await assert.rejects(
    run({ ...context, db: recording('ANALYZE (SKIP_LOCKED) public.young_1') }),
    /poisoned/,
  );
  assert.ok(texts.includes('ANALYZE (SKIP_LOCKED) public.young_2'));
});

test('what the operator gives up comes to its end, or is never done', async () => {
  const ends: Readonly<Record<string, (id: string) => string>> = {
    sendReminder: (id) => `service_reminder WHERE id = '${id}' AND status = 'failed'`,
    sendScheduledText: (id) =>
      `message WHERE cause_id = '${id}' AND state = 'failed' AND reason = 'heldBack'`,
    runAutomation: (id) =>
      `automation_run WHERE id = '${id}' AND status = 'failed' AND reason = 'error' AND ended_at IS NOT NULL`,
    advanceImport: (id) => `import_file WHERE id = '${id}' AND state = 'stopped' AND content IS NULL`,
    takeBackImport: (id) => `import_run WHERE id = '${id}' AND state = 'stopped'`,
    advanceBlast: (id) => `blast WHERE id = '${id}' AND status = 'cancelled'`,
    fetchAttachment: (id) => `message_attachment WHERE id = '${id}' AND state = 'failed'`,
    inboxDigest: (id) =>
      `workshop WHERE id = '${id}' AND NOT EXISTS (SELECT FROM message WHERE notice_due AND workshop_id = '${id}')`,
    notifyOfDisablement: (id) => `webhook WHERE id = '${id}' AND notice_due_at IS NULL`,
    recordLongSms: (id) => `(VALUES (1)) AS its WHERE NOT EXISTS (SELECT FROM long_sms WHERE id = '${id}')`,
    expireQuote: (id) => `quote WHERE id = '${id}' AND status = 'quoted'`,
  };
  const all = Object.entries(cases).flatMap(([name, each]) =>
    'setWise' in each ? [] : each.map((pieces) => ({ name, ...pieces })),
  );
  for (const [job, end] of Object.entries(ends)) {
    const { name, make, poison } = all.find((pieces) => pieces.job === job) ?? assert.fail(job);
    const [poisoned] = await make();
    await setPoison(poison, poisoned);
    await runOf(name)(context);
    const letterId = await giveUp(job, poisoned);
    await cure(poison);
    assert.equal(await discardDeadLetter({ db, clock }, actors.operator, letterId), true);
    await runOf(name)(context);
    assert.equal((await db.query(`SELECT FROM ${end(poisoned)}`)).length, 1, job);
    const kept = jobs[job]?.discard === undefined;
    assert.equal((await failedWork(db, poisoned)).length, kept ? 1 : 0, job);
  }
});
