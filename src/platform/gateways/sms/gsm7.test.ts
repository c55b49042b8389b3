/** The default alphabet of SMS, compared with the tables of another library. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import smpp from 'smpp';
import { isGsm } from '#base/values/sms-alphabet.ts';
import { decodeGsm7, encodeGsm7 } from './gsm7.ts';

test('every character of the alphabet has the octets that another library gives it, both ways', () => {
  const characters = Array.from({ length: 0x2200 }, (_, code) => String.fromCharCode(code)).filter(isGsm);
  assert.equal(characters.length, 127 + 10);
  for (const character of characters) {
    const encoded = encodeGsm7(character);
    assert.deepEqual(encoded, smpp.encodings.ASCII.encode(character), character);
    assert.equal(decodeGsm7(encoded), character);
  }
  assert.throws(() => encodeGsm7('✓'));
  assert.throws(() => encodeGsm7('\x1b'));
});

test('septets that no table has are read as the standard says', () => {
  assert.equal(decodeGsm7(Buffer.from([0x1b, 0x41, 0x1b, 0x1b, 0x80, 0x1b])), 'A \ufffd');
});
