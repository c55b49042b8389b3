/**
 * What spreadsheets make of values is a fault, or said; nothing that is right is one (specification: Imports 14). The values are those
 * that LibreOffice 7.4 and Gnumeric 1.12 write when they open a CSV file and save it again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvLine } from '#base/values/csv.ts';
import { readRows } from '../../../test/fixtures/import-rows.ts';
import { exampleFile } from '../../../test/fixtures/imports.ts';
import { damageOf } from './damage.ts';

/** As they were saved, with what they were. */
const damaged: Readonly<Record<string, readonly (readonly [saved: string, was: string])[]>> = {
  Registration: [
    ['1.00E+05', '1E5'],
    ['1.23E+47', '123E45'],
    ['1.23E+047', '123E45'],
    ['1,23E+47', '123E45'],
    ['2026/04/03', '3APR'],
    ['2026/03/12', 'MAR-12'],
    ['03/01/12', 'MAR-12'],
    ['3-Apr', '3APR'],
    ['Apr-03', 'APR03'],
    ['2026-04-03 00:00:00', '3APR'],
    ['123456.5', ''],
    ['10:30:00', '10:30'],
    ['10:30:00 AM', '10:30'],
    ['#NAME?', '=A'],
    ['#####', ''],
  ],
  VIN: [
    ['1.23456789012346E+016', '12345678901234567'],
    ['1.79769313486232E+308', '1234567890123E567'],
  ],
  Postcode: [['800', '0800']],
  Model: [
    ['2026/01/02', '1/2'],
    ['02/01/26', '1/2'],
    ['5-Sep', '9-5'],
  ],
  ID: [['1.00E+12', '1000000000001']],
};

test('each damaged value is a fault with its line, its column and the way out, and without the value', async () => {
  for (const [column, values] of Object.entries(damaged)) {
    const rows = values.map(([saved]) => csvLine([`Kim ${saved}`, null, saved]).trim());
    const { good, faults } = await readRows('customers', `Name,Mobile,${column}\n${rows.join('\n')}\n`);
    assert.deepEqual(
      faults.map((fault) => [fault.line, fault.column]),
      values.map((_, n) => [n + 2, column]),
      JSON.stringify(good.map(({ car }) => car)),
    );
    for (const [n, { message }] of faults.entries()) {
      assert.match(message, /format the column as text|mend it in the spreadsheet/);
      assert.ok(!message.includes(values[n]?.[0] ?? ''), message);
    }
  }
});

test('what looks a little like it is right: registrations, cars, postcodes of other lengths', async () => {
  for (const rego of ['1E5', '123E45', '3APR', 'APR03', 'MAR-12', 'ABC-123', '1234', 'E12', 'ABC·123'])
    assert.equal(damageOf('rego', rego, 'AU'), null, rego);
  for (const model of ['9-5', '9-3', 'BT-50', '2.0', '3008', 'E 200', '1/2', 'i30'])
    assert.equal(damageOf('model', model, 'AU'), null, model);
  for (const [postcode, country] of [
    ['0800', 'AU'],
    ['3053', 'AU'],
    ['SW1A 1AA', 'GB'],
    ['101', 'IS'],
    ['02108-1234', 'US'],
  ] as const)
    assert.equal(damageOf('postcode', postcode, country), null, postcode);
  assert.notEqual(damageOf('postcode', '2108', 'US'), null);
  assert.equal(damageOf('notes', '1.00E+05', 'AU'), null);
});

test('a mobile number without its 0 is read where the country leaves no doubt, and said', async () => {
  const { good, notes, faults } = await readRows(
    'customers',
    'Name,Mobile\nKim,491570156\nSam,0491570157\nPat,+61491570158\nPoe,61491570159\nRoe,491570110.0\n',
  );
  assert.deepEqual(faults, []);
  assert.deepEqual(
    good.map(({ customer }) => customer.phone),
    ['+61491570156', '+61491570157', '+61491570158', '+61491570159', '+61491570110'],
  );
  assert.deepEqual(notes, [
    'Mobile lacks the 0 before a number, which spreadsheets take away: it is read as a number in AU (lines 2, 6)',
  ]);
  // Where numbers have no 0 at home, none is lacking.
  const abroad = await readRows('customers', 'Name,Mobile\nKim,2125550100\n', { country: 'US' });
  assert.deepEqual([abroad.good[0]?.customer.phone, abroad.notes], ['+12125550100', []]);
  const lost = await readRows('customers', 'Name,Mobile\nKim,4.92E+08\nSam,4.91570156E+08\n');
  assert.deepEqual(
    lost.faults.map(({ line, message }) => [line, /format the column as text/.test(message)]),
    [
      [2, true],
      [3, true],
    ],
  );
});

test('a registration of many zeros, or of few digits, may be right, so it is read, and said', async () => {
  const { good, notes } = await readRows('customers', 'Name,Mobile,Rego\nKim,,100000\nSam,,1000\nPat,,123\n');
  assert.deepEqual(
    good.map(({ car }) => car?.rego),
    ['100000', '1000', '123'],
  );
  assert.match(notes.join(), /^Rego is a number that a spreadsheet may have made of .*\(lines 2, 4\)$/);
});

const heads = ['Name', 'Mobile', 'E-mail', 'Registration', 'Model', 'Year', 'VIN', 'Postcode'];
const cell = (of: RegExp) => fc.option(fc.stringMatching(of), { nil: '' });
const rows = fc.array(
  fc.tuple(
    fc.stringMatching(/^[A-Z][a-zé']{1,10}(?: [A-Z][a-z-]{1,10})?$/u),
    cell(/^04915701(?:56|57|58|59)$/),
    cell(/^[a-z]{1,8}@[a-z]{1,8}\.example$/),
    cell(/^[A-Z0-9]{1,7}$/),
    cell(/^[A-Z][a-z0-9 ]{0,8}[a-z0-9]$/),
    cell(/^(?:19|20)\d\d$/),
    cell(/^[A-HJ-NPR-Z0-9]{17}$/),
    cell(/^\d{4}$/),
  ),
  { maxLength: 8 },
);

test('what is written as CSV is read back the same: no value is changed without being said', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (wanted) => {
      const content = [heads, ...wanted].map((each) => csvLine(each)).join('');
      const { good, faults, questions, notes } = await readRows('customers', content);
      assert.deepEqual([faults, questions], [[], []]);
      assert.deepEqual(
        good.map(({ customer, car }) => [
          ...[customer.name ?? '', customer.phone?.replace('+61', '0') ?? '', customer.email ?? ''],
          ...[car?.rego ?? '', car?.model ?? '', String(car?.year ?? ''), car?.vin ?? ''],
          customer.postcode ?? '',
        ]),
        wanted,
      );
      for (const note of notes) assert.match(note, /^Registration is a number that a spreadsheet may/);
    }),
    { numRuns: 80 },
  );
});

test('the examples of the guide are read whole, with nothing to ask or to say', async () => {
  for (const kind of ['customers', 'bookings'] as const) {
    const { good, faults, questions, notes, ignored } = await readRows(kind, await exampleFile(kind));
    assert.deepEqual([good.length, faults, questions, notes, ignored], [4, [], [], [], []]);
  }
});
