/** What is pasted with marks that nobody sees is the phone, registration or e-mail address that it looks like. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { cleanEmail, isEmail } from './email.ts';
import { withoutMarks } from './invisible.ts';
import { parsePhone } from './phone.ts';
import { partOfPhone } from './phone-part.ts';
import { normaliseRego } from './rego.ts';

const marks = [
  ...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufe0d\ufe0f\u061c\u3164\u115f\uffa0',
  ...'\u200b\u200c\u200d\u2060\ufeff\u00ad\u2800\u180e\ufff9\u{e0041}',
];
const spaces = '\u202f\u00a0\u2007\u2009\u3000\t';

test('of a phone', () => {
  for (const text of [
    '\u202a+61 491 570 006\u202c',
    '\u200e0491570006',
    '\u20680491 570 006\u2069',
    '+61\ufe0d491570006',
    '0491\u202f570\u202f006',
    'tel:+61491570006',
    '\u202aTEL: 0491 570 006',
    'tel:+61-491-570-006',
    'tel://0491570006',
    'mailto:0491570006'.replace('mailto', 'Tel'),
  ])
    assert.equal(parsePhone(text, 'AU'), '+61491570006', JSON.stringify(text));
  for (const mark of marks)
    for (const text of [`${mark}0491570006`, `0491${mark}570006`, `+61491570006${mark}`])
      assert.equal(parsePhone(text, 'AU'), '+61491570006', JSON.stringify(text));
  for (const space of spaces) assert.equal(parsePhone(`0491${space}570006`, 'AU'), '+61491570006');
  for (const text of [
    'tel:',
    'tel:tel:0491570006',
    'sms:0491570006',
    '0491570006\u0000',
    '0491\u001b570006',
    '\u202a'.repeat(2_000),
  ])
    assert.equal(parsePhone(text, 'AU'), null, JSON.stringify(text));
  assert.deepEqual(partOfPhone('\u202a570 006\u202c', 'AU'), { digits: '570006', isWhole: false });
  assert.deepEqual(partOfPhone('tel:570006', 'AU'), { digits: '570006', isWhole: false });
});

test('of a registration, whose white space counts no more', () => {
  for (const mark of [...marks, ...spaces]) assert.equal(normaliseRego(`${mark}abc${mark}123`), 'ABC123');
});

test('of an e-mail address', () => {
  for (const mark of marks)
    assert.equal(cleanEmail(`${mark}sam${mark}@mail.example${mark}`), 'sam@mail.example');
  for (const text of [
    'mailto:sam@mail.example',
    ' MailTo: sam@mail.example ',
    'mailto:sam@mail.example?subject=Hello&body=x',
  ])
    assert.equal(cleanEmail(text), 'sam@mail.example', text);
  for (const text of [
    'sam@mail.example',
    'sam?x@mail.example',
    'Sam <sam@mail.example>',
    'a b@mail.example',
    'mailto@mail.example',
  ])
    assert.equal(cleanEmail(text), text);
  assert.equal(isEmail(cleanEmail('mailto:mailto:sam@mail.example')), false);
});

test('cleaning twice is cleaning once, and no usual value changes', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.equal(withoutMarks(withoutMarks(text)), withoutMarks(text));
    }),
  );
  fc.assert(fc.property(fc.emailAddress(), (text) => assert.equal(cleanEmail(text), text)));
});
