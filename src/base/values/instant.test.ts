import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatInstant, parseInstant } from './instant.ts';

const read = (text: string) => {
  const instant = parseInstant(text);
  return instant && formatInstant(instant);
};

test('instants are read with Z or an offset, and written in UTC with milliseconds (specification: Times 1 and 2)', () => {
  assert.equal(read('2026-03-01T09:30:00Z'), '2026-03-01T09:30:00.000Z');
  assert.equal(read('2026-03-01T09:30:00+10:30'), '2026-02-28T23:00:00.000Z');
  assert.equal(read('2026-03-01T09:30:00-00:00'), '2026-03-01T09:30:00.000Z');
  assert.equal(read('2026-12-31T23:59:59-01:00'), '2027-01-01T00:59:59.000Z');
  assert.equal(read('2024-02-29T00:00:00Z'), '2024-02-29T00:00:00.000Z');
});

test('digits below the millisecond are dropped', () => {
  assert.equal(read('2026-03-01T09:30:00.1Z'), '2026-03-01T09:30:00.100Z');
  assert.equal(read('2026-03-01T09:30:00.123999999Z'), '2026-03-01T09:30:00.123Z');
  assert.equal(read('2026-03-01T09:30:00.0009Z'), '2026-03-01T09:30:00.000Z');
});

test('other texts are refused (specification: Times 1)', () => {
  const refused = [
    ...[
      '',
      'now',
      '0',
      '1772357400',
      '2026-03-01',
      '2026-03-01T09:30:00',
      '2026-03-01T09:30Z',
      '2026-03-01 09:30:00Z',
    ],
    ...['2026-03-01t09:30:00Z', '2026-03-01T09:30:00z', '2026-03-01T09:30:00+1000', '2026-03-01T09:30:00+10'],
    ...['2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z', '2026-04-31T00:00:00Z', '2026-13-01T00:00:00Z'],
    ...['2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2100-02-29T00:00:00Z', '2026-03-01T24:00:00Z'],
    ...[
      '2026-03-01T23:60:00Z',
      '2026-12-31T23:59:60Z',
      '2026-03-01T09:30:00+24:00',
      '2026-03-01T09:30:00+10:60',
    ],
    ...[
      '2026-03-01T09:30:00.Z',
      '2026-03-01T09:30:00.1234567890Z',
      '2026-03-01T09:30:00,5Z',
      '+002026-03-01T09:30:00Z',
    ],
    ...[
      '2026-3-1T09:30:00Z',
      '2026-03-01T09:30:00Z\n',
      ' 2026-03-01T09:30:00Z',
      '2026-03-01T09:30:00Z[Europe/Paris]',
    ],
    ...[
      '２０２６-03-01T09:30:00Z',
      '2026-03-01T09:30:00 +10:00',
      '2026-060T00:00:00Z',
      '2026-W09-7T00:00:00Z',
    ],
  ];
  for (const text of refused) assert.equal(read(text), null, JSON.stringify(text));
});

test('instants lie in the years 1900 to 2199, in UTC', () => {
  assert.equal(read('1900-01-01T00:00:00Z'), '1900-01-01T00:00:00.000Z');
  assert.equal(read('2199-12-31T23:59:59.999Z'), '2199-12-31T23:59:59.999Z');
  assert.equal(read('1899-12-31T23:00:00-01:00'), '1900-01-01T00:00:00.000Z');
  const outside = ['1900-01-01T00:00:00+00:01', '2200-01-01T00:00:00Z', '2199-12-31T23:59:59-00:01'];
  for (const text of [...outside, '0000-01-01T00:00:00Z', '0099-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
    assert.equal(read(text), null, text);
  }
});

test('every instant is read back from any offset', () => {
  const instants = fc.date({
    min: new Date('1900-01-03T00:00:00Z'),
    max: new Date('2199-12-29T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, fc.integer({ min: -1439, max: 1439 }), (instant, offset) => {
      const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
      const zone = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
      assert.equal(read(`${local}${offset < 0 ? '-' : '+'}${zone}`), instant.toISOString());
    }),
  );
});

test('only days and times that exist are accepted (specification: Times 1)', () => {
  const part = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
  fc.assert(
    fc.property(
      fc.integer({ min: 1900, max: 2199 }),
      part(14),
      part(33),
      part(25),
      part(61),
      part(61),
      (...parts) => {
        const [year, month, day, hour, minute, second] = parts;
        const text = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
        const answer = read(`${text}Z`);
        assert.ok(answer === null || answer === `${text}.000Z`);
        const days = new Date(Date.UTC(year, Number(month), 0)).getUTCDate();
        const exists =
          +month >= 1 &&
          +month <= 12 &&
          +day >= 1 &&
          +day <= days &&
          +hour < 24 &&
          +minute < 60 &&
          +second < 60;
        assert.equal(answer !== null, exists);
      },
    ),
  );
});
