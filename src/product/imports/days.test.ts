/** Days and times as people and programs write them (specification: Imports 12). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { longestTurnMs } from '../../../test/harness/longest-turn.ts';
import { dated, fullYear, typedDay } from './days.ts';
import { readWhen } from './when.ts';

const reading = {
  ...{ timezone: 'Australia/Melbourne', now: new Date('2026-06-01T00:00:00Z') },
  ...{ order: null, shortYears: false },
};
const at = (date: string, time?: string) => {
  const when = readWhen({ date, time }, reading);
  return 'at' in when ? when.at.toISOString() : when.message;
};

test('months may have names, in the orders and with the marks that programs write', () => {
  const wanted = '2026-03-03T22:30:00.000Z';
  for (const text of [
    ...['4 March 2026 9:30 am', 'March 4, 2026 9:30 am', 'Mar 4, 2026, 9:30 AM', '4 Mar 2026, 9:30am'],
    ...[
      '4-Mar-2026 09:30',
      'Wed 4 Mar 2026 09:30',
      'Wednesday, March 4, 2026 at 9:30 AM',
      '4th of March 2026 9:30',
    ],
    ...['2026-03-04T09:30', '2026-03-04 09:30:00', '2026/03/04 9:30 a.m.', '2026-03-03T22:30:00Z'],
  ])
    assert.equal(at(text), wanted, text);
  assert.equal(at('4 Sept 2025', '9:30'), '2025-09-03T23:30:00.000Z');
  for (const text of ['4 Marc 2026', '32 March 2026', 'March 2026', '4 of 2026', 'Foo 4, 2026'])
    assert.match(at(text, '9:30'), /is no date/, text);
});

test('the time may stand in a column Start beside the day, with the day once more or without', () => {
  for (const dateTime of ['9:30 am', '4/3/2026 9:30 am', '2026-03-04 09:30:00']) {
    const when = readWhen({ date: '2026-03-04', dateTime }, reading);
    assert.deepEqual(when, { at: new Date('2026-03-03T22:30:00.000Z') }, dateTime);
  }
  assert.equal(at('2026-03-04', '1899-12-30 09:30'), '2026-03-03T22:30:00.000Z');
  assert.deepEqual(readWhen({ date: '2026-03-04', dateTime: 'soon' }, reading), {
    ...{ field: 'dateTime', message: 'is no time: write 14:30 or 2:30 pm' },
  });
});

test('the number that a spreadsheet has for a day is refused with the way out', () => {
  assert.match(at('46115'), /format the column as a date/);
  assert.match(at('46115.395833'), /format the column as a date/);
});

test('each day is read back from each form that leaves no doubt', () => {
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  fc.assert(
    fc.property(
      fc.integer({ min: 1990, max: 2026 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 28 }),
      (year, month, day) => {
        const name = months[month - 1] ?? '';
        const [shown, named] = [`${year}-${month}-${day}`, `${day}-${name}-${year}`];
        for (const text of [shown, shown.replaceAll('-', '/'), named, `${name} ${day}, ${year}`]) {
          const typed = typedDay(text) ?? assert.fail(text);
          const [a, b, c] = typed.parts;
          const iso = typed.shape === 'yearFirst' ? dated(a, b, c) : dated(c, b, a);
          assert.equal(iso, dated(year, month, day), text);
        }
      },
    ),
  );
});

test('two digits are the year that is not over 20 years ahead', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  assert.deepEqual(
    [26, 46, 47, 99, 0].map((digits) => fullYear(digits, now)),
    [2026, 2046, 1947, 1999, 2000],
  );
});

test('a long text takes no long time', async () => {
  for (const text of ['4 ', 'mon ', '1/', '4-mar-', ' ', '4 march ', ',', '4th of '].map((part) =>
    part.repeat(30_000),
  ))
    assert.ok((await longestTurnMs(async () => void typedDay(text))) < 200, text.slice(0, 8));
  const gap = ' '.repeat(60_000);
  for (const [date, time] of [
    [`4 March 2026${gap}\nx`, '9:30'],
    [`4/3/2026${gap}\nx`, '9:30'],
    ['2026-03-04', `9:30${gap}x`],
    [`2026-03-04 9:30${gap}x`, undefined],
  ] as const)
    assert.ok(
      (await longestTurnMs(async () => void at(date, time))) < 200,
      JSON.stringify(date.slice(0, 20)),
    );
});
