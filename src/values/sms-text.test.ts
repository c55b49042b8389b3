import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { measureSms } from './sms-text.ts';

const measured = (text: string) => {
  const { encoding, segments, units, perSegment } = measureSms(text);
  return [encoding, segments, units, perSegment];
};

test('plain texts hold 160 characters, 153 in each part of several', () => {
  assert.deepEqual(measured(''), ['gsm7', 1, 0, 160]);
  assert.deepEqual(measured('a'.repeat(160)), ['gsm7', 1, 160, 160]);
  assert.deepEqual(measured('a'.repeat(161)), ['gsm7', 2, 161, 153]);
  assert.deepEqual(measured('a'.repeat(306)), ['gsm7', 2, 306, 153]);
  assert.deepEqual(measured('a'.repeat(307)), ['gsm7', 3, 307, 153]);
});

test('the basic alphabet has 127 characters besides the escape', () => {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  const others = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./:;<=>?¡ÄÖÑÜ§¿äöñüà';
  assert.deepEqual(measured(`${letters}${letters.toUpperCase()}0123456789${others}`), ['gsm7', 1, 127, 160]);
});

test('characters of the extension table take two, never across two parts', () => {
  assert.deepEqual(measured('€^{}\\[~]|\f'), ['gsm7', 1, 20, 160]);
  assert.deepEqual(measured('€'.repeat(80)), ['gsm7', 1, 160, 160]);
  assert.deepEqual(measured('€'.repeat(81)), ['gsm7', 2, 162, 153]);
  // 153 is odd: of 76 euro signs 152 units are used, and the next one starts a new part.
  assert.deepEqual(measured('€'.repeat(152)), ['gsm7', 2, 304, 153]);
  assert.deepEqual(measured('€'.repeat(153)), ['gsm7', 3, 306, 153]);
});

test('one other character makes the whole text UCS-2: 70 units, 67 in each part of several', () => {
  for (const character of ['ç', 'ё', '’', '`', '\t', 'ÿ', '中']) {
    assert.deepEqual(measured(`${'a'.repeat(69)}${character}`), ['ucs2', 1, 70, 70], character);
    assert.deepEqual(measured(`${'a'.repeat(70)}${character}`), ['ucs2', 2, 71, 67], character);
  }
  assert.deepEqual(measured('ё'.repeat(134)), ['ucs2', 2, 134, 67]);
  assert.deepEqual(measured('ё'.repeat(135)), ['ucs2', 3, 135, 67]);
});

test('a character beyond the basic plane takes two units, never across two parts', () => {
  assert.deepEqual(measured('😀'.repeat(35)), ['ucs2', 1, 70, 70]);
  assert.deepEqual(measured('😀'.repeat(36)), ['ucs2', 2, 72, 67]);
  assert.deepEqual(measured('😀'.repeat(66)), ['ucs2', 2, 132, 67]);
  assert.deepEqual(measured('😀'.repeat(67)), ['ucs2', 3, 134, 67]);
});

test('the parts hold the text, and no part would be left over', () => {
  const texts = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', '€', '\n'), maxLength: 900 }),
    fc.string({ unit: fc.constantFrom('a', 'ё', '😀'), maxLength: 400 }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { segments, units, perSegment } = measureSms(text);
      assert.ok(segments * perSegment >= units);
      // A part can be short of its last unit only.
      assert.ok(segments === 1 || (segments - 1) * (perSegment - 1) < units);
      assert.ok(measureSms(`${text}a`).segments >= segments);
    }),
  );
});
