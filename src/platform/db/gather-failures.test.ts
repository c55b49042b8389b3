/** The outcome of gathered calls when the statement, the connection or one row's holder fails them. */
import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Count, columns, count, one, tallyDatabase } from '../../../test/fixtures/gathered.ts';
import { watched } from '../../../test/fixtures/watched-database.ts';
import { DatabaseUnavailable, violatedConstraint } from './errors.ts';
import { gather } from './gather.ts';

const db = await tallyDatabase();

beforeEach(async () => {
  await db.query('TRUNCATE tally');
});

test("an error is its own caller's: the batch was rolled back, and runs again call by call with the same ids", async () => {
  const { watching, batches } = watched(db);
  const calls = [one('a'), one('b', 3), one('c')];
  const [a, b, c] = await Promise.allSettled(calls.map((call) => count(watching, call)));
  assert.deepEqual([a?.status, b?.status, c?.status], ['fulfilled', 'rejected', 'fulfilled']);
  assert.equal(b?.status === 'rejected' && violatedConstraint(b.reason), 'tally_times_check');
  assert.deepEqual(
    batches.map(({ rows, isAlone }) => [rows, isAlone]),
    [
      [3, false],
      [1, true],
      [1, true],
      [1, true],
    ],
  );
  assert.deepEqual(await db.query('SELECT name, times, ids FROM tally ORDER BY name'), [
    { name: 'a', times: 1, ids: [calls[0]?.id] },
    { name: 'c', times: 1, ids: [calls[2]?.id] },
  ]);
});

const cutOff = gather<Count, { times: number }>({
  columns,
  build: ({ input }) => `WITH ${input}, counted AS (
      INSERT INTO tally SELECT name, "by", ARRAY[id] FROM input RETURNING name, times)
    SELECT ordinal, times FROM input JOIN counted USING (name)
     WHERE name <> 'end' OR pg_terminate_backend(pg_backend_pid())`,
  partnerOf: () => 'partner',
});

test('a connection that is lost: each caller gets the error, nothing is sent again, and the next call succeeds', async () => {
  const { watching, sizes } = watched(db);
  const results = await Promise.allSettled(['a', 'end', 'b'].map((name) => cutOff(watching, one(name))));
  for (const result of results) {
    assert.ok(result.status === 'rejected' && result.reason instanceof DatabaseUnavailable);
  }
  assert.deepEqual(sizes(), [3]);
  assert.equal((await cutOff(watching, one('a')))?.times, 1);
});

test('a row that another transaction locks delays only its own caller', {
  timeout: 10_000,
}, async () => {
  await count(db, one('held'));
  const released = Promise.withResolvers<void>();
  const holds = Promise.withResolvers<void>();
  const holder = db.transaction(async (tx) => {
    await tx.query(`UPDATE tally SET ids = ids WHERE name = 'held'`);
    holds.resolve();
    await released.promise;
  });
  await holds.promise;
  const held = count(db, one('held'));
  const others = await Promise.all(['a', 'b', 'c', 'x', 'y', 'z'].map((name) => count(db, one(name))));
  assert.deepEqual(
    others.map((row) => row?.times),
    [1, 1, 1, 1, 1, 1],
  );
  // Its caller waits, and so does the next of the same key; a batch of others is held up no more.
  const next = count(db, one('held'));
  assert.equal((await count(db, one('more')))?.times, 1);
  const isWaiting = { name: 'waits', times: 0 };
  assert.equal(await Promise.race([held, next, Promise.resolve(isWaiting)]), isWaiting);
  released.resolve();
  assert.deepEqual(
    [(await held)?.times, await next.catch((error) => violatedConstraint(error))],
    [2, 'tally_times_check'],
  );
  await holder;
});

/** Locks these rows until `release`. */
async function hold(names: readonly string[]): Promise<{ release(): Promise<void> }> {
  for (const name of names) await count(db, one(name));
  const [holds, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = db.transaction(async (tx) => {
    await tx.query('UPDATE tally SET ids = ids WHERE name = ANY ($1::text[])', [names]);
    holds.resolve();
    await released.promise;
  });
  await Promise.race([holds.promise, holder]);
  return {
    release() {
      released.resolve();
      return holder;
    },
  };
}

test('calls that are free do not wait behind any number of calls that wait for locks', {
  timeout: 10_000,
}, async () => {
  const stuck = Array.from({ length: 12 }, (_, index) => `stuck ${index}`);
  const [long, short] = [await hold(stuck), await hold(['freed'])];
  const waiting = stuck.map((name) => count(db, one(name)));
  const freed = count(db, one('freed'));
  assert.equal((await count(db, one('beside them')))?.times, 1);
  assert.equal((await count(db, one('after them')))?.times, 1);
  // One whose lock is free again is done, although those before it in the line still wait.
  await short.release();
  assert.equal((await freed)?.times, 2);
  const { watching, batches } = watched(db);
  const isWaiting = { times: 0 };
  assert.equal(await Promise.race([...waiting, Promise.resolve(isWaiting)]), isWaiting);
  assert.equal((await count(watching, one('another process')))?.times, 1);
  assert.deepEqual(batches, [{ rows: 1, isAlone: false }]);
  await long.release();
  assert.deepEqual(
    (await Promise.all(waiting)).map((row) => row?.times),
    stuck.map(() => 2),
  );
});

test('a call that another of its batch has to go before is run again', async () => {
  const { watching, sizes } = watched(db);
  const firstOfEach = gather<{ person: string; name: string }, { held: boolean; name: string }>({
    columns: { person: 'text', name: 'text' },
    build: ({ input }) => `WITH ${input},
      turn AS (SELECT *, row_number() OVER (PARTITION BY person ORDER BY ordinal) > 1 AS held FROM input),
      done AS (INSERT INTO tally SELECT name, 1, '{}' FROM turn WHERE NOT held)
      SELECT ordinal, held, name FROM turn`,
    partnerOf: () => 'partner',
  });
  const calls = ['a1', 'a2', 'b1', 'a3', 'b2'].map((name) => ({ person: name.slice(0, 1), name }));
  const rows = await Promise.all(calls.map((call) => firstOfEach(watching, call)));
  assert.deepEqual(
    rows.map((row) => [row?.name, row?.held]),
    calls.map(({ name }) => [name, false]),
  );
  assert.deepEqual(sizes(), [5, 3, 1]);
  const [written] = await db.query<{ count: number }>('SELECT count(*)::int AS count FROM tally');
  assert.equal(written?.count, 5);
});

test('a statement whose rows cannot be assigned to calls fails, for each caller', async () => {
  const broken = gather<{ name: string }, { name: string }>({
    columns: { name: 'text' },
    build: ({ input }) => `WITH ${input} SELECT 1 AS ordinal, name FROM input`,
    partnerOf: () => 'partner',
  });
  const results = await Promise.allSettled(['a', 'b'].map((name) => broken(db, { name })));
  for (const result of results)
    assert.match(String(result.status === 'rejected' && result.reason), /single call/);
});

test('a call without a turn in 15 seconds is refused, and is never sent', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const stuck = Promise.withResolvers<never[]>();
    const { watching, sizes } = watched({ ...db, query: () => stuck.promise });
    const underWay = [count(watching, one('a')), count(watching, one('b'))];
    await nextTurn();
    underWay.push(count(watching, one('c')));
    await nextTurn();
    // The first batch takes long by now, so this one goes beside it.
    mock.timers.tick(100);
    assert.deepEqual(sizes(), [2, 1]);
    const late = count(watching, one('d'));
    await nextTurn();
    mock.timers.tick(15_000);
    await assert.rejects(late, DatabaseUnavailable);
    stuck.resolve([]);
    assert.deepEqual(await Promise.all(underWay), [null, null, null]);
    await nextTurn();
    assert.deepEqual(sizes(), [2, 1]);
  } finally {
    mock.timers.reset();
  }
});

test('a deadlock is run again as a batch', async () => {
  const { watching, sizes } = watched(db);
  await db.query('CREATE SEQUENCE IF NOT EXISTS collisions');
  await db.query(`CREATE OR REPLACE FUNCTION collide_once() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('collisions') = 1 THEN RAISE SQLSTATE '40P01'; END IF; RETURN true; END $$`);
  const collide = gather<{ name: string }, { name: string }>({
    columns: { name: 'text' },
    build: ({ input }) => `WITH ${input} SELECT ordinal, name FROM input WHERE collide_once()`,
    partnerOf: () => 'partner',
  });
  const rows = await Promise.all(['a', 'b'].map((name) => collide(watching, { name })));
  assert.deepEqual(
    rows.map((row) => row?.name),
    ['a', 'b'],
  );
  assert.deepEqual(sizes(), [2]);
});

test('a batch that fails when 15 seconds are over is not run again: its callers are told to retry', async () => {
  const refusal: unknown = await db.query('SELECT 1 / 0 AS nothing').catch((error: unknown) => error);
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const stuck = Promise.withResolvers<never[]>();
    const { watching, sizes } = watched({ ...db, query: () => stuck.promise });
    const calls = ['a', 'b'].map((name) => count(watching, one(name)));
    await nextTurn();
    mock.timers.tick(15_000);
    stuck.reject(refusal);
    for (const call of calls) await assert.rejects(call, DatabaseUnavailable);
    await nextTurn();
    assert.deepEqual(sizes(), [2]);
  } finally {
    mock.timers.reset();
  }
});
