/** Calls of one statement that go to the database together. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { count, db, names, one } from '../../test/fixtures/gathered.ts';
import { watched } from '../../test/fixtures/watched-database.ts';
import { gather } from './gather.ts';

beforeEach(async () => {
  await db.query('TRUNCATE tally');
});

test('calls of one turn go together, at most 32, and each caller gets its own row', async () => {
  const { watching, sizes } = watched(db);
  const rows = await Promise.all(names(100).map((name) => count(watching, one(name))));
  assert.deepEqual(
    rows.map((row) => [row?.name, row?.times]),
    names(100).map((name) => [name, 1]),
  );
  assert.deepEqual(sizes(), [32, 32, 32, 4]);
});

test('a single call is sent in the turn in which it came, by the same statement', async () => {
  const { watching, sizes } = watched(db);
  const row = count(watching, one('alone'));
  await nextTurn();
  assert.deepEqual(sizes(), [1]);
  assert.equal((await row)?.times, 1);
});

test('two batches are under way at once; what comes meanwhile waits and goes together', async () => {
  const stuck = Promise.withResolvers<void>();
  const { watching, sizes } = watched({
    ...db,
    query: async (text, values) => {
      await stuck.promise;
      return db.query(text, values);
    },
  });
  const calls: ReturnType<typeof count>[] = [];
  for (const names of [['a'], ['b'], ['c', 'd', 'e']]) {
    calls.push(...names.map((name) => count(watching, one(name))));
    await nextTurn();
  }
  assert.deepEqual(sizes(), [1, 1]);
  stuck.resolve();
  await Promise.all(calls);
  assert.deepEqual(sizes(), [1, 1, 3]);
});

test('calls of one key go one after the other, in order of arrival', async () => {
  const { watching, sizes } = watched(db);
  const rows = await Promise.all(['a', 'a', 'b'].map((name) => count(watching, one(name))));
  assert.deepEqual(
    rows.map((row) => row?.times),
    [1, 2, 1],
  );
  assert.deepEqual(sizes(), [2, 1]);
});

test('a call whose row the statement does not give gets null', async () => {
  const find = gather<{ name: string }, { times: number }>({
    columns: { name: 'text' },
    build: ({ input }) => `WITH ${input} SELECT ordinal, times FROM input JOIN tally USING (name)`,
    partnerOf: () => 'partner',
  });
  await count(db, one('known'));
  const found = await Promise.all(['known', 'unknown', 'known'].map((name) => find(db, { name })));
  assert.deepEqual(
    found.map((row) => row?.times ?? null),
    [1, null, 1],
  );
});

test('a row over 16 KiB goes alone, and a batch has at most 256 KiB', async () => {
  const { watching, sizes } = watched(db);
  const payloads = [1, 17_000, 15_000, 1, ...Array.from({ length: 20 }, () => 15_000)];
  await Promise.all(
    payloads.map((bytes, index) => count(watching, { ...one(`n${index}`), payload: 'x'.repeat(bytes) })),
  );
  assert.deepEqual(sizes(), [1, 1, 18, 4]);
});
