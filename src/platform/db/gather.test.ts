/** Calls of one statement that go to the database together. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { count, names, one, tallyDatabase } from '../../../test/fixtures/gathered.ts';
import { watched } from '../../../test/fixtures/watched-database.ts';
import { gather } from './gather.ts';

const db = await tallyDatabase();

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

test('a second batch goes beside the first once eight calls wait; what comes meanwhile waits and goes together', async () => {
  const stuck = Promise.withResolvers<void>();
  const { watching, sizes } = watched({
    ...db,
    query: async (text, values) => {
      await stuck.promise;
      return db.query(text, values);
    },
  });
  const calls: ReturnType<typeof count>[] = [];
  const all = names(20);
  for (const [from, to] of [
    [0, 1],
    [1, 8],
    [8, 9],
    [9, 20],
  ]) {
    calls.push(...all.slice(from, to).map((name) => count(watching, one(name))));
    await nextTurn();
    if (to === 8) assert.deepEqual(sizes(), [1], 'seven wait');
  }
  assert.deepEqual(sizes(), [1, 8]);
  stuck.resolve();
  await Promise.all(calls);
  assert.deepEqual(sizes(), [1, 8, 11]);
});

test('no call waits for a batch that takes long', async () => {
  const stuck = Promise.withResolvers<void>();
  const { watching, sizes } = watched({
    ...db,
    query: async (text, values) => {
      if (String(values?.[0]).includes('held')) await stuck.promise;
      return db.query(text, values);
    },
  });
  const held = count(watching, one('held'));
  await nextTurn();
  await Promise.all(['a', 'b'].map((name) => count(watching, one(name))));
  assert.equal((await count(watching, one('a')))?.times, 2);
  assert.deepEqual(sizes(), [1, 2, 1]);
  stuck.resolve();
  await held;
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
