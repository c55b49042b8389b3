/** What the dry run asks of a file as a whole, and that an answer ends it (specification: Imports 13). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRows } from '../../../test/fixtures/import-rows.ts';
import type { ImportKind } from './columns.ts';
import type { QuestionKind } from './questions.ts';

const asked = async (kind: ImportKind, content: string, accepted: readonly QuestionKind[] = []) =>
  (await readRows(kind, content, { accepted })).questions.map(({ kind: each, column }) => [each, column]);

test('a file of customers without a column of numbers, and columns with numbers or addresses that are not read, are asked about', async () => {
  const content =
    'Name,Rego,Kontakt,Mail privat,Balance,Fax,Invoice\nKim,K1,0491 570 156,kim@customer.example,100.00,03 9555 0199,40012345\n';
  assert.deepEqual(await asked('customers', content), [
    ['no-phones', ''],
    ['unread', 'Kontakt'],
    ['unread', 'Mail privat'],
  ]);
  assert.deepEqual(await asked('customers', content, ['unread']), [['no-phones', '']]);
  assert.deepEqual(await asked('customers', content, ['no-phones', 'unread']), []);
  // A booking may go without a number.
  assert.deepEqual(await asked('bookings', 'Date,Name,Handy\n2026-01-02,Kim,+61491570156\n'), [
    ['unread', 'Handy'],
  ]);
});

test('words, numbers of other things, and the people of the workshop are not asked about', async () => {
  for (const [heading, value] of [
    ['Notes', 'call 0491570156'],
    ['Odometer', '123456'],
    ['Invoice no', '491570156'],
    ['Last visit', '03/04/2026'],
    ['Staff e-mail', 'jo@shop.example'],
    ['Created by', 'jo@shop.example'],
    ['Website', 'www.customer.example'],
    ['Ref 2', '-'],
  ] as const)
    assert.deepEqual(await asked('customers', `Name,Mobile,${heading}\nKim,,${value}\n`), [], heading);
  // Some numbers among words are none of a column of numbers.
  const rows = ['0491570156', 'asks often', 'tall', 'has a dog'].map((each) => `Kim,,${each}\n`).join('');
  assert.deepEqual(await asked('customers', `Name,Mobile,Remark\n${rows}`), []);
});

test('days of two forms in one column are asked about, in whatever row they stand', async () => {
  const file = (...days: readonly string[]) =>
    `Date,Time,Name\n${days.map((day) => `${day},9:00,Kim\n`).join('')}`;
  const question = [['mixed-dates', 'Date']];
  assert.deepEqual(await asked('bookings', file('2027/03/04', '13/4/2027')), question);
  assert.deepEqual(await asked('bookings', file('13/4/2027', '4/13/2027')), question);
  assert.deepEqual(await asked('bookings', file('2027/03/04', '13/4/2027'), ['mixed-dates']), []);
  assert.deepEqual(await asked('bookings', file('2027/03/04', '2027-04-05', '4 May 2027')), []);
  assert.deepEqual(await asked('bookings', file('13/4/2027', '14.4.2027', '1/4/2027')), []);
});

test('years of two digits: each row is refused with the four digits, and taken where all rows leave no doubt', async () => {
  const file = (...days: readonly string[]) =>
    `Date,Time,Name\n${days.map((day) => `${day},09:00:00 AM,Kim\n`).join('')}`;
  const saved = file('03/04/26', '05/13/26', '12/01/99');
  const { faults, questions } = await readRows('bookings', saved);
  assert.equal(faults.filter(({ message }) => /four digits of the year/.test(message)).length, 3);
  assert.deepEqual(
    questions.map(({ kind, column, order }) => [kind, column, order]),
    [['short-years', 'Date', 'mdy']],
  );
  const read = await readRows('bookings', saved, { order: 'mdy', accepted: ['short-years'] });
  assert.deepEqual(
    read.good.map(({ booking }) => booking?.date.toISOString().slice(0, 10)),
    ['2026-03-03', '2026-05-12', '1999-11-30'],
  );
  // The day first: with the year first a booking would be years ahead.
  const dayFirst = await readRows('bookings', file('31/12/26', '03/04/26', '01/04/26'));
  assert.deepEqual(
    dayFirst.questions.map(({ order }) => order),
    ['dmy'],
  );
  for (const doubt of [
    ['03/04/26'],
    ['03/04/26', '13/04/26'],
    ['05/13/26', '2026-04-03'],
    ['05/13/26', '1/2/2026'],
  ])
    assert.deepEqual(
      (await readRows('bookings', file(...doubt))).questions.filter(({ kind }) => kind === 'short-years'),
      [],
      doubt.join(),
    );
  assert.deepEqual(await asked('bookings', file('3-Apr-26', '14-May-26')), [['short-years', 'Date']]);
  const named = await readRows('bookings', file('3-Apr-26'), { accepted: ['short-years'] });
  assert.deepEqual([named.good.length, named.faults, named.questions], [1, [], []]);
});
