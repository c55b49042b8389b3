/** Reading files: any text written as CSV is read back, in each encoding and with each delimiter (specification: Imports 1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseString } from '#base/values/text.ts';
import { fieldOf } from './columns.ts';
import { openTable } from './rows.ts';
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
  const on = { timezone: 'Australia/Melbourne', now: new Date('2026-06-01T00:00:00Z') };
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
  assert.match(at('3/4/24', 'dmy'), /is no date/);
});
