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

it('is written in the SMS alphabet at any instant', () => {
  fc.assert(
    fc.property(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2199-12-31') }),
      (instant) => {
        const text = localDateTime(instant, 'Australia/Adelaide');
        assert.match(text, /^[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d{4}, \d{1,2}:\d\d [ap]m$/);
        assert.equal(measureSms(text).encoding, 'gsm7');
      },
    ),
  );
});
