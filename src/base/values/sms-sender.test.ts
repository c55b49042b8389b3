/** Sender ids are validated per country (specification: Partners and workshops 10). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCountry } from '#base/values/phone.ts';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { isCalendarDate } from './calendar-date.ts';
import { readSender, senderNotes } from './sms-sender.ts';
import { senderForm } from './sms-sender-form.ts';
import { oldRows, senderRules } from './sms-sender-rules.ts';

const kept: readonly [string, string, string][] = [
  // Numbers, in any form of the country.
  ['AU', '0491 570 006', '+61491570006'],
  ['AU', '(03) 5550 0101', '+61355500101'],
  ['NZ', '021 123 456', '+6421123456'],
  ['NZ', '+61 491 570 006', '+61491570006'],
  ['GB', '07400 123456', '+447400123456'],
  ['US', '(202) 555-0123', '+12025550123'],
  ['US', '(800) 555-0123', '+18005550123'],
  ['SG', '8123 4567', '+6581234567'],
  ['SG', '81234567', '+6581234567'],
  // Short codes.
  ['AU', '190123', '190123'],
  ['AU', '19012345', '19012345'],
  ['NZ', '244', '244'],
  ['NZ', '2441', '2441'],
  ['US', '72404', '72404'],
  ['CA', '724044', '724044'],
  ['GB', '60777', '60777'],
  ['FR', '36123', '36123'],
  // Names.
  ['AU', 'CarltonMtrs', 'CarltonMtrs'],
  ['AU', 'Carlton 24', 'Carlton 24'],
  ['AU', 'A&B Motors', 'A&B Motors'],
  ['AU', 'A.B-C_D/e', 'A.B-C_D/e'],
  ['AU', ' Smith Tax ', 'Smith Tax'],
  ['AU', 'X1', 'X1'],
  ['GB', 'A', 'A'],
  ['GB', 'A.B-C_D &e', 'A.B-C_D &e'],
  ['GB', 'Smith Bank', 'Smith Bank'],
  ['ES', 'Taller', 'Taller'],
  ['IE', '4x4 Garage', '4x4 Garage'],
  ['SG', 'Carlton', 'Carlton'],
  ['FR', 'Garage', 'Garage'],
];

test('a sender that the country allows is stored, a number as E.164', () => {
  for (const [country, text, sender] of kept) {
    assert.deepEqual(readSender(text, country), { sender }, `${country} ${text}`);
  }
});

const refused: readonly [string, string, RegExp][] = [
  [
    'NZ',
    'Carlton',
    /^"Carlton" is a name: New Zealand's networks show no names.*; give a number or short code/,
  ],
  ['US', 'Carlton', /United States and Canada show no names as senders; give a number/],
  ['CA', 'Carlton', /show no names/],
  ['PR', 'Carlton', /show no names/],
  ['AU', 'Carlton Motors', /"Carlton Motors" is 14 characters long: a name has at most 11/],
  ['AU', 'Müller_1', /refuse \(ü\)/],
  ['GB', 'A/B@C', /carriers refuse \(\/ @\): a name has letters from A to Z, digits, spaces and & - \. _/],
  ['AU', 'A', /is too short: a name has at least 2 characters/],
  ['AU', '_Carlton', /begins or ends with a space or an underscore/],
  ['AU', 'Carlton_', /begins or ends/],
  ['AU', 'UnVerified1', /has “unverified” in it/],
  ['AU', 'SERVICE', /consists of words that stand for no business/],
  ['AU', 'Info_Alert', /consists of words/],
  ['AU', 'Anti-Fraud', /consists of words/],
  ['GB', 'Reminder', /consists of words/],
  ['GB', '+61 491 570 006', /a number of another country: networks of the United Kingdom block/],
  ['GB', '50777', /short code of 5 digits that begins with 6, 7 or 8/],
  ['GB', '607770', /short code of 5 digits/],
  ['AU', 'Гараж', /refuse \(/],
  ['AU', 'Car\tlton', /refuse/],
  ['AU', '19991', /nor a short code of 6 or 8 digits/],
  ['AU', '12', /neither a phone number in AU, nor a short code of 6 or 8 digits, nor a name/],
  ['NZ', '19012345', /short code of 3, 4, 5 or 6 digits/],
  ['US', '7240', /5 or 6 digits/],
  ['IE', '501234', /short code of 5 digits/],
  ['FR', '12', /3, 4, 5, 6, 7 or 8 digits/],
  ['FR', '123456789012', /neither/],
  ['AU', '1300 123 456', /is a shared-cost number, which can't send SMS/],
  ['AU', '1800 123 456', /a toll-free number/],
  ['AU', '1900 654 321', /a premium-rate number/],
  ['AU', '+61 491 570 006 ext. 5', /at most 11/],
  ['AU', '+61491', /neither/],
  ['AU', '٠٤٩١', /neither/],
  ['AU', '...', /neither/],
  ['AU', '', /neither/],
];

test('a sender that it does not allow is refused, with the rule', () => {
  for (const [country, text, fault] of refused) {
    const read = readSender(text, country);
    assert.match('fault' in read ? read.fault : `kept: ${read.sender}`, fault, `${country} ${text}`);
  }
});

test('any text is stored in a form that gateways accept, or refused in one line', () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...'aZ0159 +()-'), maxLength: 14 }),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom('AU', 'NZ', 'US', 'GB', 'IE', 'SG', 'IN', 'FR'), (text, country) => {
      const read = readSender(text, country);
      if ('sender' in read)
        assert.match(read.sender, /^(?:\+\d{5,15}|\d{3,8}|(?=.*[A-Za-z])[\x20-\x7e]{1,11})$/);
      else assert.ok(read.fault.length < 400);
    }),
  );
});

test('the rules name existing countries, and give reasons, a date and a source', () => {
  for (const [country, rule] of Object.entries(senderRules)) {
    const { names, why, shortCodes = [], lookedUp, sources } = rule;
    assert.ok(isCountry(country), country);
    assert.ok(isCalendarDate(lookedUp) && sources.length > 0, country);
    assert.equal(names === 'allowed', why === undefined, country);
    assert.ok(
      shortCodes.every((length) => length >= 3 && length <= 8),
      country,
    );
  }
});

test('no row of the rules was looked up more than a year ago', () => {
  const row = (lookedUp: string) => ({ names: 'allowed', lookedUp, sources: ['a.example'] }) as const;
  const rules = { AU: row('2026-11-29'), NZ: row('2026-11-30') };
  assert.deepEqual(oldRows(new Date('2027-11-29'), rules), []);
  assert.deepEqual(oldRows(new Date('2027-11-30'), rules), ['AU, looked up 2026-11-29 (a.example)']);
  assert.deepEqual(
    oldRows(new Date()),
    [],
    'Look these up again, and change the row and its date in src/base/values/sms-sender-rules.ts',
  );
});

test('where no country is known a sender is read by its form alone', () => {
  for (const [given, form] of [
    ['+61400000000', 'number'],
    ['61400000000', null],
    ['190123', 'shortCode'],
    ['12', null],
    ['A&B Motors', 'name'],
    ['X', 'name'],
    ['Carlton Motors', null],
    ['Müller', null],
    [' Carlton', null],
    ['--', null],
    ['', null],
  ] as const)
    assert.equal(senderForm(given), form, given);
});

test('notes about an allowed sender', () => {
  const notes = (country: string, smsSender: string | null, inboxNotices: 'email' | 'off' = 'off') =>
    senderNotes({ country, smsSender, inboxNotices }).join('\n');
  assert.equal(notes('AU', null, 'email'), '');
  assert.equal(notes('AU', '+61491570006', 'email'), '');
  assert.equal(notes('GB', 'Carlton'), '');
  assert.match(notes('AU', 'Carlton'), /^Carlton: Australia's networks show .* Register .*\.$/);
  assert.match(notes('IE', 'Carlton'), /ComReg/);
  assert.match(notes('FR', 'Garage'), /ask the SMS gateway whether names .* allowed in FR/);
  assert.match(
    notes('GB', 'Carlton', 'email'),
    /^Carlton: customers can't answer a name.*can answer a number\.$/,
  );
  assert.match(notes('NZ', '+6421123456'), /short codes/);
  assert.match(notes('NZ', '2441', 'email'), /^2441: .* say that an answer costs.*\.$/);
  assert.match(notes('ES', 'Taller'), /CNMC/);
  assert.match(notes('AU', '+61355500101'), /landline/);
});
