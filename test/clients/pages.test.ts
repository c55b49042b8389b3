/** Where `pages` and `each` of @pitlane/client end. The network is scripted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { each, pages } from '../../clients/typescript/src/index.ts';
import { clientOf } from './scripted.ts';

const updatedSince = '2030-01-01T00:00:00Z';

/** Answers by the cursor that was asked with: the ids of the page, and the cursor of the next. */
function listOf(script: Record<string, readonly [ids: string[], nextCursor: string | null]>) {
  return clientOf(({ url }) => {
    const [ids, nextCursor] = script[new URL(url).searchParams.get('cursor') ?? 'start'] ?? [[], null];
    return { status: 200, body: { success: true, bookings: ids.map((id) => ({ id })), nextCursor } };
  });
}

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

test('a feed goes on after an empty page whose cursor goes on, and ends where its cursor stays', async () => {
  const { pitlane, asked } = listOf({
    start: [[], 'one'],
    one: [['a'], 'two'],
    two: [[], 'three'],
    three: [['b'], 'four'],
    four: [[], 'four'],
  });
  const query = { updatedSince, status: 'pending' } as const;
  assert.deepEqual(await idsOf(each(pitlane.listBookings, { query })), ['a', 'b']);
  assert.equal(asked.length, 5);

  const cursors: (string | null)[] = [];
  for await (const { nextCursor } of pages(pitlane.listBookings, { query: { ...query, cursor: 'two' } }))
    cursors.push(nextCursor);
  assert.deepEqual(cursors, ['three', 'four', 'four']);
});

test('a feed without anything new ends with its first page', async () => {
  const { pitlane, asked } = listOf({ four: [[], 'four'] });
  const query = { updatedSince, cursor: 'four' };
  assert.deepEqual(await idsOf(each(pitlane.listBookings, { query })), []);
  assert.equal(asked.length, 1);
});

test('a list ends where its cursor is null', async () => {
  const { pitlane } = listOf({ start: [['a', 'b'], 'one'], one: [['c'], null] });
  assert.deepEqual(await idsOf(each(pitlane.listBookings, { query: {} })), ['a', 'b', 'c']);
  const empty = listOf({});
  assert.deepEqual(await idsOf(each(empty.pitlane.listBookings, { query: {} })), []);
});
