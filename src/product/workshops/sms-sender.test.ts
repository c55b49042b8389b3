/** Sender ids are validated per country. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isCountry } from '#base/values/phone.ts';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { readSender, senderNotes } from './sms-sender.ts';
import { senderRules } from './sms-sender-rules.ts';

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
  ['GB', 'A', 'A'],
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
  ['AU', 'A&B Motors', /characters that carriers refuse \(&\)/],
  ['AU', 'Müller_1', /refuse \(ü _\)/],
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
  ['AU', '+61 491 570 006 ext. 5', /refuse/],
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
        assert.match(read.sender, /^(?:\+\d{5,15}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/);
      else assert.ok(read.fault.length < 400);
    }),
  );
});

test('the rules name existing countries, and give reasons', () => {
  for (const [country, { names, why, shortCodes = [] }] of Object.entries(senderRules)) {
    assert.ok(isCountry(country), country);
    assert.equal(names === 'allowed', why === undefined, country);
    assert.ok(
      shortCodes.every((length) => length >= 3 && length <= 8),
      country,
    );
  }
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
  assert.equal(notes('NZ', '2441', 'email'), '');
  assert.match(notes('AU', '+61355500101'), /landline/);
});
