import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { localDate, localDateTime, localTime } from './local-time.ts';
import { measureSms } from './sms-text.ts';

it('shows an instant in the zone that is asked for', () => {
  const instant = new Date('2026-03-02T22:30:00.000Z');
  assert.equal(localDateTime(instant, 'Australia/Sydney'), 'Tue 3 Mar 2026, 9:30 am');
  assert.equal(localDateTime(instant, 'America/New_York'), 'Mon 2 Mar 2026, 5:30 pm');
  assert.equal(localDate(instant, 'UTC'), 'Mon 2 Mar 2026');
  assert.equal(localTime(new Date('2026-03-02T00:05:00.000Z'), 'UTC'), '12:05 am');
  assert.equal(localTime(new Date('2026-03-02T12:00:00.000Z'), 'UTC'), '12:00 pm');
});

it('follows daylight saving', () => {
  assert.equal(localTime(new Date('2026-04-04T22:00:00.000Z'), 'Australia/Sydney'), '8:00 am');
  assert.equal(localTime(new Date('2026-04-03T22:00:00.000Z'), 'Australia/Sydney'), '9:00 am');
});

it('says which of the two it is in an hour that daylight saving repeats, and only there (specification: Notices 17)', () => {
  const times = (timezone: string, ...instants: string[]) =>
    instants.map((text) => localTime(new Date(text), timezone));
  assert.deepEqual(
    times('Australia/Melbourne', '2026-04-04T14:59:00Z', '2026-04-04T15:00:00Z', '2026-04-04T15:59:59Z'),
    ['1:59 am', '2:00 am AEDT', '2:59 am AEDT'],
  );
  assert.deepEqual(
    times('Australia/Melbourne', '2026-04-04T16:00:00Z', '2026-04-04T16:59:00Z', '2026-04-04T17:00:00Z'),
    ['2:00 am AEST', '2:59 am AEST', '3:00 am'],
  );
  // The hour that is skipped in spring is not repeated.
  assert.deepEqual(times('Australia/Melbourne', '2026-10-03T15:59:00Z', '2026-10-03T16:00:00Z'), [
    '1:59 am',
    '3:00 am',
  ]);
  for (const [timezone, first, second, shown] of [
    ['Pacific/Auckland', '2026-04-04T13:30:00Z', '2026-04-04T14:30:00Z', ['2:30 am NZDT', '2:30 am NZST']],
    // A daylight saving shift of half an hour.
    ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z', ['1:45 am LHDT', '1:45 am LHST']],
    ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', ['1:30 am EDT', '1:30 am EST']],
    ['America/St_Johns', '2026-11-01T03:45:00Z', '2026-11-01T04:45:00Z', ['1:15 am NDT', '1:15 am NST']],
    ['Europe/London', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', ['1:30 am BST', '1:30 am GMT']],
    ['Europe/Dublin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', ['1:30 am IST', '1:30 am GMT']],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', ['2:30 am CEST', '2:30 am CET']],
    [
      'America/Santiago',
      '2026-04-05T02:30:00Z',
      '2026-04-05T03:30:00Z',
      ['11:30 pm GMT-3', '11:30 pm GMT-4'],
    ],
  ] as const) {
    assert.deepEqual(times(timezone, first, second), shown, timezone);
  }
});

it('is written in the SMS alphabet at any instant', () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2199-12-31') }),
      (instant) => {
        const text = localDateTime(instant, 'Australia/Adelaide');
        assert.match(text, /^[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d{4}, \d{1,2}:\d\d [ap]m( AC[DS]T)?$/);
        assert.equal(measureSms(text).encoding, 'gsm7');
      },
    ),
  );
});
