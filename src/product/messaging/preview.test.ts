/** A preview shows segments, encoding, units left, and the characters that force UCS-2. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { measureSms } from '#base/values/sms-text.ts';
import { previewText } from './preview.ts';

test('a text: its encoding, its segments, and the units left in the last segment', () => {
  assert.deepEqual(previewText(' Hi '), {
    ...{ text: 'Hi', encoding: 'gsm7', segments: 1, units: 2, perSegment: 160, unitsLeft: 158 },
    ...{ outsideGsm: [], tooLong: false, parts: ['Hi'], warnings: [] },
  });
  const { encoding, segments, unitsLeft, outsideGsm } = previewText(`${'x'.repeat(70)}’“’`);
  assert.deepEqual([encoding, segments, unitsLeft, outsideGsm], ['ucs2', 2, 61, ['’', '“']]);
  assert.deepEqual(
    [previewText('x'.repeat(1_530)).tooLong, previewText('x'.repeat(1_531)).tooLong],
    [false, true],
  );
  assert.deepEqual(previewText('x'.repeat(1_531)).warnings, ['it has 11 segments, and at most 10 are sent']);
});

test('warnings name what may break a link, and a link that is cut between segments', () => {
  const warned = (text: string) => previewText(text).warnings;
  assert.deepEqual(warned('See https://a.example/b now'), []);
  assert.match(warned('See https://a.example/b.')[0] ?? '', /ends with \./);
  const long = `https://a.example/${'x'.repeat(140)}`;
  const { parts, warnings } = previewText(`Your car is ready: ${long}`);
  assert.deepEqual([parts.length, parts.join('')], [2, `Your car is ready: ${long}`]);
  assert.match(warnings[0] ?? '', /is cut after part 1/);
  assert.deepEqual(previewText('x'.repeat(161)).parts, ['x'.repeat(153), 'x'.repeat(8)]);
});

test('the last segment has room for exactly as many more units as the preview says', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '€', 'ё', '😀', ' x'), maxLength: 400 });
  fc.assert(
    fc.property(text, (some) => {
      const { segments, unitsLeft, units, perSegment } = measureSms(some);
      // A text that outgrows one segment is split again, with smaller segments.
      if (units <= perSegment && segments === 1) {
        assert.equal(unitsLeft, perSegment - units);
        return;
      }
      assert.equal(measureSms(some + 'x'.repeat(unitsLeft)).segments, segments);
      assert.equal(measureSms(`${some}${'x'.repeat(unitsLeft)}x`).segments, segments + 1);
    }),
  );
});
