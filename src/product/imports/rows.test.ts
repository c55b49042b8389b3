/** Reading files: any text written as CSV is read back, in each encoding and with each delimiter (specification: Imports 1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseString } from '#base/values/text.ts';
import { longestTurnMs } from '../../../test/harness/longest-turn.ts';
import { fieldOf } from './columns.ts';
import { openTable, type ReadRow, rowsAtMost } from './rows.ts';
import { sourceOf as wholeSource } from './source.ts';
import { readWhen } from './when.ts';

/** In chunks of a few bytes, so that characters and line ends are split. */
const sourceOf = (content: Buffer, size: number) => ({
  name: 'a.csv',
  *bytes() {
    for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
  },
});

const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  marked: (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};
const cell = fc.stringMatching(/^[a-zé€😀 ,;\t"'\n0-9=]{0,12}$/u);
const wholeRow = fc.tuple(fc.constantFrom('x', 'y'), cell, cell);

test('any written CSV is read back, with the line of each row', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(wholeRow, { maxLength: 6 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom(...Object.keys(encodings)),
      fc.integer({ min: 3, max: 64 }),
      async (rows, delimiter, end, encoding, size) => {
        const quoted = (text: string) =>
          /["\n,;\t]/.test(text) ? `"${text.replaceAll('"', '""').replaceAll('\n', end)}"` : text;
        const all = [['Name', 'Notes', 'Mobile', 'Date'], ...rows.map((row) => [...row, '2024-01-01'])];
        const lines = all.map((row) => row.map(quoted).join(delimiter));
        const bytes = (encodings[encoding] ?? assert.fail())(lines.join(end));
        const table = await openTable('bookings', sourceOf(bytes, size));
        const read = await Array.fromAsync(table.rows());
        const line = (n: number) =>
          lines
            .slice(0, n + 1)
            .join('\n')
            .split(/\r\n|\n/).length + 1;
        assert.deepEqual(
          read.map((row) => ('cells' in row ? [row.line, Object.fromEntries(row.cells)] : row)),
          rows.map(([name, notes, phone], n) => {
            const filled = Object.entries({ name, notes, phone, date: '2024-01-01' })
              .map(([field, text]) => [field, normaliseString(text)])
              .filter(([, text]) => text !== '');
            return [line(n), Object.fromEntries(filled)];
          }),
        );
      },
    ),
    { numRuns: 150 },
  );
});

test('Windows-1252 is recognised, and an unclosed quotation mark loses no row before it', async () => {
  const table = await openTable(
    'customers',
    sourceOf(Buffer.from('Name;Mobile\nZo\xeb;1\nA "B" C;2\n', 'latin1'), 5),
  );
  assert.equal(table.encoding, 'windows-1252');
  const names = (await Array.fromAsync(table.rows())).map((row) => 'cells' in row && row.cells.get('name'));
  assert.deepEqual(names, ['Zoë', 'A "B" C']);
  const open = await openTable('customers', sourceOf(Buffer.from('Name,Mobile\nA,1\n"B,2\nC,3\n'), 99));
  const rows = await Array.fromAsync(open.rows());
  assert.deepEqual(
    rows.map((row) => [row.line, 'cells' in row]),
    [
      [2, true],
      [3, false],
    ],
  );
});

test('headings are recognised in any case and by their usual other names', () => {
  const known = {
    phone: ['MOBILE', 'Phone number', 'mobile_phone'],
    rego: ['Rego', 'Licence Plate', 'REGISTRATION'],
  };
  for (const [field, headings] of Object.entries(known))
    for (const heading of headings) assert.equal(fieldOf('customers', heading), field, heading);
  assert.equal(fieldOf('bookings', 'Date & time'), 'dateTime');
  assert.equal(fieldOf('customers', 'Date/Time'), undefined);
});

test('an ambiguous date is read only in the chosen order', () => {
  const on = { timezone: 'Australia/Melbourne', now: new Date('2026-06-01T00:00:00Z'), shortYears: false };
  const at = (date: string, order: 'dmy' | 'mdy' | null) => {
    const when = readWhen({ date, time: '9:30 am' }, { ...on, order });
    return 'at' in when ? when.at.toISOString().slice(0, 10) : when.message;
  };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }), (a, b) => {
      const [dmy, mdy, unsaid] = [
        at(`${a}/${b}/2024`, 'dmy'),
        at(`${a}/${b}/2024`, 'mdy'),
        at(`${a}/${b}/2024`, null),
      ];
      const isDate = (text: string) => /^2024/.test(text);
      if (isDate(dmy) && isDate(mdy) && dmy !== mdy) assert.match(unsaid, /can be two dates/);
      else assert.equal(unsaid, isDate(dmy) ? dmy : isDate(mdy) ? mdy : unsaid);
    }),
  );
  assert.match(at('2024-02-30', null), /is no date/);
  assert.match(at('3/4/24', 'dmy'), /is no date: write all four digits of the year/);
});

const read = async (text: string): Promise<readonly ReadRow[]> => {
  const table = await openTable('customers', wholeSource('a.csv', Buffer.from(text)));
  return Array.fromAsync(table.rows());
};
const head = 'Name,Mobile,Notes\n';

test('empty rows, blank lines and cells count, and what to do about them is said (specification: Imports 8)', async () => {
  const most = await read(`${head}${',,\n'.repeat(rowsAtMost - 2)}Ann,,\n,,\n`);
  assert.deepEqual(
    most.map(({ line }) => line),
    [rowsAtMost],
  );
  const many = /more than 100,000 rows, .* are empty: delete the rows below the last one in the spreadsheet/;
  for (const text of [',,\n'.repeat(rowsAtMost), '\n'.repeat(rowsAtMost), '\n,,\n'.repeat(rowsAtMost / 2)])
    await assert.rejects(read(`${head}Ann,,\n${text}`), many);
  await assert.rejects(read(',,\n'.repeat(rowsAtMost + 2)), many);
  await assert.rejects(
    read(`${head}${'Ann,,\n'.repeat(rowsAtMost + 1)}`),
    /100,000 rows: import it in parts/,
  );
  await assert.rejects(read(`Name${',x'.repeat(300)}\nAnn\n`), /200 columns: delete those .* the empty ones/);
  await assert.rejects(read(`${head}${','.repeat(1_000_001)}`), /a line of more than 1,000,000 characters/);
  const [wide, next] = await read(`${head}${','.repeat(1_000)}\nAnn,1,\n`);
  assert.match(JSON.stringify(wide), /has more than 1,000 cells: delete the columns to the right/);
  assert.ok(next !== undefined && 'cells' in next && next.line === 3);
  assert.equal((await read(`${head}Ann,1,\n"B${',2,\n'.repeat(100_000)}`)).length, 2);
});

test('no file keeps the event loop to itself (specification: Imports 8)', async () => {
  const bytes = 5 * 1024 * 1024;
  const filled = (row: string) => head + row.repeat(Math.ceil(bytes / row.length));
  const shapes = [
    ...[',,\n', '\n', '"\n', '"\n"\n', '"a"b,"\n', 'a,"', ',', '"', ' ', ` ${','.repeat(900)}\n`, '"",\n'],
    `${' '.repeat(1_000)},,\n`,
  ];
  for (const text of [...shapes.map(filled), ',,\n'.repeat(bytes / 3), ','.repeat(bytes)]) {
    // The collector's and the compiler's work counts too, now and then: what is slow is slow each time.
    let longest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 3 && longest >= 500; n++)
      longest = Math.min(longest, await longestTurnMs(() => read(text).catch(() => null)));
    // Empty rows took 9 s in one turn.
    assert.ok(longest < 500, `${longest} ms: ${JSON.stringify(text.slice(0, 60))}`);
  }
});
