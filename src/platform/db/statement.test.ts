/** Statements with named parameters: what is sent, and what TypeScript refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { gather } from './gather.ts';
import type { RowValues } from './parameters.ts';
import { statement } from './statement.ts';

const parameters = {
  id: 'uuid',
  note: 'text null',
  tags: 'text[]',
  at: 'timestamptz',
  unused: 'integer',
} as const;
const id = '01900000-0000-7000-8000-000000000001';
const at = new Date('2030-01-01T00:00:00Z');

test('each name is sent once, in the order of its first use, and those that the text leaves out are not', async () => {
  const { db } = await createTestDatabase();
  const echo = statement(
    parameters,
    ($) => `SELECT ${$('note')} AS note, ${$('id')} AS id, ${$('id')} = ${$('id')} AS same,
    ${$('tags')} AS tags, ${$('at')} AS at`,
  );
  assert.match(echo.text, /SELECT \$1::text AS note, \$2::uuid AS id, \$2::uuid = \$2::uuid/);
  const values = echo.values({ id, note: null, tags: ['a', 'b,"c"'], at, unused: 1 });
  assert.deepEqual(values, [null, id, ['a', 'b,"c"'], at]);
  assert.deepEqual(await db.query(echo.text, values), [
    { note: null, id, same: true, tags: ['a', 'b,"c"'], at },
  ]);
});

test('JSON is sent as its text, and none as a null of SQL', async () => {
  const { db } = await createTestDatabase();
  const types = { list: 'jsonb', none: 'jsonb null' } as const;
  const echo = statement(types, ($) => `SELECT ${$('list')} AS list, ${$('none')} IS NULL AS missing`);
  const list = [{ title: 'a "b"', cost: 1.5 }, []];
  assert.deepEqual(await db.query(echo.text, echo.values({ list, none: null })), [{ list, missing: true }]);
});

test('a value of another type, a null where none may be, or a missing name does not compile', () => {
  const one = statement(parameters, ($) => `SELECT ${$('id')}`);
  const good = { id, note: null, tags: [], at, unused: 1 };
  one.values(good);
  // @ts-expect-error a number is no uuid
  one.values({ ...good, id: 1 });
  // @ts-expect-error `at` may not be null
  one.values({ ...good, at: null });
  // @ts-expect-error `tags` is missing
  one.values({ id, note: null, at, unused: 1 });
  // @ts-expect-error the text names nothing else
  statement(parameters, ($) => `SELECT ${$('ids')}`);
  // @ts-expect-error no type of SQL's
  statement({ id: 'uid' }, ($) => `SELECT ${$('id')}`);
});

test('in a statement over a set, JSON goes as it is and a null as null', async () => {
  const { db } = await createTestDatabase();
  const columns = { id: 'uuid', note: 'text null', items: 'jsonb', at: 'timestamptz' } as const;
  const echo = gather<RowValues<typeof columns>, { note: string | null; items: object; at: Date }>({
    columns,
    build: ({ input }) => `WITH ${input} SELECT ordinal, note, items, at FROM input`,
    partnerOf: () => '',
  });
  const rows = await Promise.all([
    echo(db, { id, note: null, items: [{ cost: 1.5 }], at }),
    echo(db, { id, note: 'x', items: {}, at }),
  ]);
  assert.deepEqual(
    rows.map((row) => [row?.note, row?.items, row?.at]),
    [
      [null, [{ cost: 1.5 }], at],
      ['x', {}, at],
    ],
  );
});
