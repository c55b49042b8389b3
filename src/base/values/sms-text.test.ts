import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { measureSms, splitSms } from './sms-text.ts';

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

const links = [
  'https://pitlane.example/b/7K3M9QXW?x=1&y=~2',
  `https://a.example/${'p'.repeat(120)}`,
  'http://ё.example/1',
];
const longTexts = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', '€', '\n'), maxLength: 900 }),
  fc.string({ unit: fc.constantFrom('a', 'ё', '😀'), maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('a', '[', ' ', '\r\n', '\f'), maxLength: 900 }),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  // Links anywhere, and so close that more than one is at the end of a part.
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...links, ' '),
        fc.string({ unit: fc.constantFrom('a', '€', ' '), maxLength: 90 }),
      ),
    )
    .map((pieces) => pieces.join(' ')),
);

test("the count is that of Twilio's calculator", () => {
  // It keeps letters together that are written in several code points: these texts have none.
  const texts = fc.string({ unit: fc.constantFrom(...'aZ0 €[~\f\r\n@', 'ё', '😀', '`'), maxLength: 700 });
  const alphabet = fc.string({ unit: fc.constantFrom(...'aZ0 €[~\f\r@ñ'), maxLength: 900 });
  fc.assert(
    fc.property(fc.oneof(texts, alphabet), (text) => {
      const other = new SegmentedMessage(text);
      const { encoding, segments } = measureSms(text);
      assert.deepEqual(
        [other.encodingName === 'GSM-7' ? 'gsm7' : 'ucs2', Math.max(other.segmentsCount, 1)],
        [encoding, segments],
      );
    }),
  );
});

test('a split text: its parts are as many as are counted, each fits, together they are the text', () => {
  fc.assert(
    fc.property(longTexts, (text) => {
      const parts = splitSms(text);
      const { encoding, segments, perSegment } = measureSms(text);
      assert.equal(parts.join(''), text);
      assert.equal(parts.length, segments);
      for (const part of parts) {
        const units = encoding === 'ucs2' ? part.length : measureSms(part).units;
        assert.ok(units <= perSegment, part);
        // A part that begins with the second half of a pair was cut inside a character.
        if (text.isWellFormed()) assert.ok(part.isWellFormed());
      }
      if (text !== '') assert.ok(parts.every((part) => part !== ''));
    }),
    { numRuns: 500 },
  );
});

test('a link starts a new part when the one before has no room for it, where that costs no further part', () => {
  const link = links[0] ?? '';
  const text = `${'x'.repeat(140)} ${link} and more`;
  assert.deepEqual(splitSms(text), [`${'x'.repeat(140)} `, `${link} and more`]);
  // Here it would cost a third part, and that counts more. The tilde takes two units.
  const full = `${'x'.repeat(140)} ${link} ${'y'.repeat(306 - 143 - link.length)}`;
  assert.deepEqual(splitSms(full), [full.slice(0, 153), full.slice(153)]);
});

test('no link is cut that starting it again would keep whole for the same price', () => {
  fc.assert(
    fc.property(longTexts, (text) => {
      const parts = splitSms(text);
      let end = 0;
      for (const [index, part] of parts.slice(0, -1).entries()) {
        const start = end;
        end += part.length;
        const cut = [...text.matchAll(/https?:\/\/\S+/gu)].find(
          (m) => m.index < end && m.index + m[0].length > end,
        );
        if (cut === undefined || cut.index <= start) continue;
        // What follows from the link's start on would take more parts than there are.
        const { encoding, perSegment } = measureSms(text);
        const rest = countInSeries(text.slice(cut.index), encoding, perSegment);
        assert.ok(index + 1 + rest > parts.length, cut[0]);
      }
    }),
    { numRuns: 500 },
  );
});

/** Parts of a series, counted again in the plainest way. */
function countInSeries(text: string, encoding: 'gsm7' | 'ucs2', perSegment: number): number {
  let parts = 0;
  let room = 0;
  for (const character of text) {
    const size = encoding === 'ucs2' ? character.length : '\f^{}\\[~]|€'.includes(character) ? 2 : 1;
    if (size > room) {
      parts++;
      room = perSegment;
    }
    room -= size;
  }
  return parts;
}

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
