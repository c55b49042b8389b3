import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCountry, nameWritten, parsePhone, phoneIn } from './phone.ts';

test('a number in any usual form becomes E.164 (specification: Phone numbers 1)', () => {
  const forms = [
    '0400000001',
    '+61 400 000 001',
    '0400 000 001',
    '(04) 0000 0001',
    '0400-000-001',
    '0011 61 400 000 001',
  ];
  for (const text of forms) assert.equal(parsePhone(text, 'AU'), '+61400000001', text);
});

test("the sandbox's numbers are valid", () => {
  for (const end of ['0156', '0157', '0158', '0159', '0110']) {
    assert.equal(parsePhone(`049157${end}`, 'AU'), `+6149157${end}`);
  }
});

test('landlines, and numbers of other countries, are valid (specification: Phone numbers 2)', () => {
  assert.equal(parsePhone('02 9999 9999', 'AU'), '+61299999999');
  assert.equal(parsePhone('+1 202 555 0100', 'AU'), '+12025550100');
  assert.equal(parsePhone('021 123 4567', 'NZ'), '+64211234567');
});

test('a number as a name is written as people write it, and every other name stays as it is (specification: Phone numbers 3)', () => {
  assert.equal(nameWritten('+61491575001'), '0491 575 001');
  assert.equal(nameWritten('+61491575001', 'AU'), '0491 575 001');
  assert.equal(nameWritten('+61491575001', 'NZ'), '+61 491 575 001');
  for (const name of ['', 'Sam Taylor', 'Sam +61491575001', '0491575001', '+61 491 575 001', '+1', '+'])
    assert.equal(nameWritten(name, 'AU'), name, name);
});

test('other texts are refused', () => {
  const refused = [
    ...[
      '',
      ' ',
      'x',
      '0',
      '000',
      '12345',
      '040000000',
      '04000000011',
      '+61',
      '+',
      '+999 123 456 789',
      'call 0400000001 now',
    ],
    ...[
      '0400000001 ext 5',
      '0400000001x5',
      '0400000001;ext=7',
      '+61400000001 / 0400000002',
      `${' '.repeat(64)}0400000001`,
    ],
    ...[
      '0400000001\u0000',
      'tel:',
      '0400000001,0400000002',
      '0400000001 0400000002',
      'null',
      '9'.repeat(10_000),
    ],
  ];
  for (const text of refused) assert.equal(parsePhone(text, 'AU'), null, JSON.stringify(text));
});

test('a national number is refused without a known country', () => {
  for (const country of ['', 'XX', 'au', 'AUS', '001', 'constructor', '__proto__']) {
    assert.equal(isCountry(country), false, country);
    assert.equal(parsePhone('0400000001', country), null, country);
  }
  for (const country of ['AU', 'NZ', 'GB', 'US', 'DE']) assert.ok(isCountry(country));
});

test('the result is always E.164, and parsing it again changes nothing (specification: Phone numbers 1)', () => {
  const like = fc.string({ unit: fc.constantFrom(...'0123456789+ -()./x'), maxLength: 20 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        like,
        like.map((text) => `+61${text}`),
      ),
      (text) => {
        const phone = parsePhone(text, 'AU');
        if (phone === null) return;
        assert.match(phone, /^\+[1-9]\d{4,14}$/);
        assert.equal(parsePhone(phone, 'AU'), phone);
      },
    ),
    { numRuns: 1000 },
  );
});

test('shows a number as people in a country dial it (specification: Notices 21)', () => {
  for (const [country, number, shown] of [
    ['AU', '+61491570006', '0491 570 006'],
    ['AU', '+61355501234', '(03) 5550 1234'],
    ['AU', '+64211234567', '+64 21 123 4567'],
    ['NZ', '+61355501234', '+61 3 5550 1234'],
    ['CA', '+12125550123', '(212) 555-0123'],
    ['', '+61355501234', '+61 3 5550 1234'],
    ['AU', 'sandbox', 'sandbox'],
    ['AU', '', ''],
  ] as const) {
    assert.equal(phoneIn(country, number), shown);
  }
});
