import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '#errors.ts';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { cutPage, pageOf } from './paging.ts';

test('a cursor that was given out is read back, and walks through every row once', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.uuid(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      (ids, limit) => {
        const rows = ids.sort().map((id) => ({ id }));
        const seen: string[] = [];
        let cursor: string | null | undefined;
        while (cursor !== null) {
          const page = pageOf({ limit, cursor: cursor ?? undefined }, { list: 'rows' });
          const rest = rows.filter(({ id }) => page.after === null || id > page.after).slice(0, limit + 1);
          const { items, nextCursor } = cutPage(rest, page);
          assert.ok(items.length <= limit);
          seen.push(...items.map(({ id }) => id));
          cursor = nextCursor;
        }
        assert.deepEqual(seen, ids);
      },
    ),
  );
});

test('whatever else is sent as a cursor is refused with 000001, and names the field', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (cursor) => {
      assert.throws(
        () => pageOf({ cursor }, { list: 'rows' }),
        (error) =>
          error instanceof Problem && error.errorCode === '000001' && error.errors?.[0]?.field === 'cursor',
      );
    }),
  );
});

test('a cursor of another list, or of one with other filters, is refused', () => {
  const rows = [
    { id: '01900000-0000-7000-8000-000000000001' },
    { id: '01900000-0000-7000-8000-000000000002' },
  ];
  const own = { list: 'calls', filters: { outcome: 'missed' } };
  const { nextCursor } = cutPage(rows, { limit: 1, after: null, ...own });
  const cursor = nextCursor ?? '';
  assert.equal(pageOf({ cursor }, own).after, rows[0]?.id);
  for (const other of [
    { ...own, list: 'quotes' },
    { list: 'calls' },
    { list: 'calls', filters: { outcome: 'answered' } },
  ]) {
    assert.throws(
      () => pageOf({ cursor }, other),
      (error) => error instanceof Problem && /another list/.test(error.errors?.[0]?.message ?? ''),
    );
  }
});
