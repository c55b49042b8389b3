/** How `statements.sql` is made: texts are heard at the driver's door, laid out, and compared. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { gather } from '#platform/db/gather.ts';
import { listCustomers } from '#product/customers/store.ts';
import { findWorkshop } from '#product/workshops/store.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { layOut } from './layout.ts';
import { compose, differences, entriesOf, merge, parse, withTold } from './mirror.ts';
import { doorFiles, recordStatements, type Sent } from './recorder.ts';
import type { FieldKind } from './row-type.ts';
import { unlikeRows, wrongFields } from './rows.ts';
import type { Told } from './told.ts';

const sent = recordStatements(() => 'a.test.ts');
const { db } = await createTestDatabase();
const placesOf = (part: string) =>
  sent()
    .filter(({ text }) => text.includes(part))
    .map(({ file, name, test: by }) => `${file}: ${name} (${by})`);

describe('what is recorded', () => {
  test('the files between stores and the driver are there', () => {
    for (const name of doorFiles)
      assert.ok(existsSync(new URL(`../../src/platform/db/${name}.ts`, import.meta.url)), name);
  });

  test('a text by the store that sends it, in a transaction too; what a test sends itself is left out', async () => {
    await findWorkshop(db, '01900000-0000-7000-8000-000000000001');
    await db.transaction((tx) => tx.query('SELECT 1 AS of_a_test'));
    assert.deepEqual(placesOf('of_a_test'), []);
    assert.ok(placesOf('FROM workshop').includes('src/product/workshops/store.ts: findWorkshop (a.test.ts)'));
  });

  test('of a list with filters: without any, and by each alone', async () => {
    const none = { workshopId: null, phone: null, phonePart: null, namePart: null, regoPart: null };
    const workshopId = '01900000-0000-7000-8000-000000000001';
    const namePart = 'sam';
    for (const filter of [{}, { workshopId }, { namePart }, { workshopId, namePart }]) {
      await listCustomers(db, { ...none, ...filter, after: null, limit: 1 });
    }
    const conditions = sent()
      .filter(({ name }) => name === 'listCustomers')
      .map(({ text }) => [text.includes('workshop_id = $3'), text.includes('strpos')]);
    assert.deepEqual(conditions, [
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test('a shared statement where it is declared: in a test, it does not count as the product’s', () => {
    gather<{ readonly id: number }, { readonly ordinal: number }>({
      columns: { id: 'integer' },
      build: ({ input }) => `WITH ${input} SELECT ordinal, 1 AS of_a_gathering_test FROM input`,
      partnerOf: () => '',
    });
    assert.deepEqual(placesOf('of_a_gathering_test'), []);
  });
});

describe('the layout', () => {
  /** Everything but white space, and what strings, names and comments hold. */
  const content = (text: string) => text.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\S/g)?.join(' ');
  const piece = fc.constantFrom(
    ...[
      'SELECT',
      'FROM t',
      'WHERE',
      'AND',
      'a',
      'b.c',
      ',',
      ', ',
      '(',
      ')',
      ' ',
      '\n',
      '\n      ',
      "'it''s  (so'",
      '"or der"',
      '$1::text[]',
    ],
    ...['-- why (it is so\n', 'ORDER BY', 'coalesce(x, 1)', 'count(*) FILTER (WHERE ok)', 'x'.repeat(50)],
  );
  const texts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(' '));

  test('changes white space alone, and leaves as it is what is laid out', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const laid = layOut(text);
        assert.equal(content(laid), content(text));
        assert.equal(layOut(laid), laid);
      }),
      { numRuns: 300 },
    );
  });

  test('has clauses below each other, deeper ones further in, and no long lines', () => {
    const columns = Array.from({ length: 30 }, (_, n) => `column_${n}`).join(', ');
    const laid = layOut(
      `WITH few AS (\n SELECT ${columns}\n       FROM t\n   WHERE a\n  AND b)\n -- why\n SELECT 1 FROM few`,
    );
    const lines = laid.split('\n');
    assert.ok(lines.every((line) => line.length <= 140));
    assert.deepEqual(
      lines
        .map((line) => /^( *)(\w+|--)/.exec(line)?.slice(1))
        .map((found) => `${found?.[0]?.length} ${found?.[1]}`),
      ['0 WITH', '4 SELECT', '6 column_12', '6 column_24', '4 FROM', '4 WHERE', '6 AND', '0 --', '0 SELECT'],
    );
  });
});

describe('the mirror', () => {
  const of = (file: string, name: string, text: string): Sent => ({ file, name, text, test: 'a.test.ts' });
  const before = entriesOf([
    of('src/b.ts', 'read', 'SELECT 2'),
    of('src/a.ts', 'read', 'SELECT 1'),
    of('src/c.ts', 'x', 'SELECT 1'),
  ]);

  test('has each text once, by its first place, in order, and is read as it was written', () => {
    assert.deepEqual(
      before.map(({ file, text }) => [file, text]),
      [
        ['src/a.ts', 'SELECT 1'],
        ['src/b.ts', 'SELECT 2'],
      ],
    );
    assert.deepEqual(parse(compose(before)), before);
  });

  test('after some tests: what is new takes the place of its declaration’s, what is gone goes, the rest stays', () => {
    const source = (file: string) => (file === 'src/b.ts' ? '' : 'function read() {}');
    const after = merge(before, [of('src/a.ts', 'read', 'SELECT 3')], source);
    assert.deepEqual(
      after.map(({ file, text }) => [file, text]),
      [['src/a.ts', 'SELECT 3']],
    );
    assert.deepEqual(
      merge(before, [of('src/a.ts', 'read', 'SELECT  1')], () => 'read'),
      before,
    );
  });

  test('after a change of the source: what is told takes the place of its declaration’s; beside a composed text what was recorded stays', () => {
    const source = () => 'read list';
    const told = (file: string, name: string, text: string | null) => ({ file, name, text });
    const texts = (...those: ReturnType<typeof told>[]) =>
      withTold(before, those, source).map(({ file, text }) => `${file} ${text}`);
    assert.deepEqual(texts(told('src/a.ts', 'read', 'SELECT  3')), [
      'src/a.ts SELECT 3',
      'src/b.ts SELECT 2',
    ]);
    assert.deepEqual(texts(told('src/a.ts', 'read', 'SELECT 3'), told('src/a.ts', 'read', null)), [
      'src/a.ts SELECT 1',
      'src/a.ts SELECT 3',
      'src/b.ts SELECT 2',
    ]);
    assert.deepEqual(texts(told('src/d.ts', 'list', 'SELECT 2')), ['src/a.ts SELECT 1', 'src/b.ts SELECT 2']);
    assert.deepEqual(
      withTold(before, [], () => ''),
      [],
    );
  });

  test('differs by what it lacks, with a test that sends it, and by what no test sends', () => {
    const { missing, stale } = differences(before, [
      of('src/a.ts', 'read', 'SELECT 1'),
      of('src/d.ts', 'list', 'SELECT 4'),
    ]);
    assert.deepEqual(missing, [{ place: 'src/d.ts: list', beginning: 'SELECT 4', test: 'a.test.ts' }]);
    assert.deepEqual(stale, [{ place: 'src/b.ts: read', beginning: 'SELECT 2' }]);
  });
});

describe('rows', () => {
  const field = (name: string, kinds: readonly FieldKind[], isOptional = false) => ({
    ...{ name, kinds, isOptional, type: kinds.join(' | ') },
  });
  const column = (name: string, type: string, kinds: readonly FieldKind[]) => ({ field: name, type, kinds });
  const columns = [column('id', 'uuid', ['string']), column('madeAt', 'timestamptz', ['date'])];

  test('are wrong by a name that is no column, and by a type that the driver does not make', () => {
    assert.deepEqual(wrongFields([field('id', ['string']), field('madeAt', ['date'])], columns), []);
    assert.deepEqual(wrongFields([field('code', ['string']), field('made', ['date'], true)], columns), [
      'reads code, which the statement does not return',
    ]);
    assert.deepEqual(wrongFields([field('madeAt', ['string']), field('id', ['any'])], columns), [
      'reads madeAt as string, and the statement returns timestamptz',
    ]);
  });

  const site = (fields: Told['fields'], text: string | null): Told => ({
    ...{ file: 'src/a.ts', line: 7, name: 'read', isGeneric: false, thunk: null, fields, text },
  });
  const sentAs = (text: string) => ({ file: 'src/a.ts', name: 'read', text });
  const one = [column('id', 'uuid', ['string'])];
  const known = async (text: string) => (text === 'SELECT 1' ? one : columns);

  test('of a composed text are held against what its declaration sends: each text fits a call, each call a text', async () => {
    const [short, long] = [[field('id', ['string'])], [field('id', ['string']), field('madeAt', ['date'])]];
    const both = [sentAs('SELECT 1'), sentAs('SELECT 2')];
    assert.deepEqual(await unlikeRows([site(short, null), site(long, null)], both, known), []);
    assert.deepEqual(await unlikeRows([site(long, null)], [sentAs('SELECT 1')], known), [
      'src/a.ts:7 read reads madeAt, which the statement does not return',
      'src/a.ts:7 read sends a text that returns id, which no caller reads so',
    ]);
    assert.deepEqual(await unlikeRows([site(long, null)], both, known), [
      'src/a.ts:7 read sends a text that returns id, which no caller reads so',
    ]);
    assert.deepEqual(await unlikeRows([site(long, null)], [], known), [
      'src/a.ts:7 read sends a composed text that statements.sql does not have',
    ]);
    assert.deepEqual(await unlikeRows([site(short, null), site(long, 'SELECT 2')], both, known), []);
  });
});
