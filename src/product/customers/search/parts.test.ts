/** The keys of the index of parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../../test/harness/database.ts';

const { db } = await createTestDatabase({ poolSize: 1 });

test('a key is three characters, whatever bytes they are, and a workshop; a shorter text has none', async () => {
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
  const partsOf = async (text: string | null, workshop = one) => {
    const [row] = await db.query<{ parts: string[] | null }>('SELECT search_parts($1, $2)::text[] AS parts', [
      workshop,
      text,
    ]);
    return row?.parts ?? null;
  };
  // Null, not an empty array: every term contains that.
  for (const short of [null, '', 'ab', '𠮷野']) assert.equal(await partsOf(short), null);
  assert.equal((await partsOf('𠮷野家'))?.length, 1);
  assert.deepEqual(await partsOf('abcd'), [
    ...((await partsOf('abc')) ?? []),
    ...((await partsOf('bcd')) ?? []),
  ]);
  assert.notDeepEqual(await partsOf('abc'), await partsOf('abc', two));
});
