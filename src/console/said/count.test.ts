/** The count beside a text that is typed: the script's is the server's, whatever is typed, and whatever a segment costs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { costOf } from '#base/values/segment-price.ts';
import { fieldsOf } from '#platform/pages/form.ts';
import { countText } from './count.ts';

const script = (await import(new URL('../files/segments.mjs', import.meta.url).href)) as {
  countText(typed: string, price: string): string;
};

const gsm = fc.constantFrom(...'abc XYZ 0189 @£$èåΔ_Φ^{}[]~|€\\\n!?');
const other = fc.oneof(
  fc.constantFrom(
    'ї',
    '“',
    '😀',
    'e\u0301',
    'ç',
    '\r\n',
    '\r',
    '\u0085',
    '\f',
    '\t',
    '\u0007',
    '\ud800',
    '\u200b',
  ),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const price = fc.option(
  fc.record({
    units: fc.nat(99_999_999),
    decimals: fc.nat(6),
    currency: fc.constantFrom('AUD', 'NZD', 'EUR'),
  }),
);
/** Around the ends of segments, and of all that may be typed. */
const typed = fc
  .tuple(
    fc.array(fc.oneof({ weight: 30, arbitrary: gsm }, { weight: 1, arbitrary: other }), { maxLength: 40 }),
    fc.constantFrom('', 'x'.repeat(60), 'x'.repeat(130), '€'.repeat(70), 'ї'.repeat(50), 'x'.repeat(1_500)),
    fc.array(gsm, { maxLength: 40 }),
  )
  .map(([before, middle, after]) => before.join('') + middle + after.join(''));

test('the script counts as the server does, which reads the form', () => {
  fc.assert(
    fc.property(typed, price, (text, each) => {
      const asSent = each === null ? '' : `${each.units} ${each.decimals} ${each.currency}`;
      assert.equal(script.countText(text, asSent), countText(fieldsOf({ text })['text'] ?? '', each));
    }),
    { numRuns: 1_000 },
  );
});

test('what it says', () => {
  const each = { units: 79, decimals: 3, currency: 'AUD' };
  assert.equal(countText('', each), '');
  assert.equal(countText('Hello', null), '1 segment; 155 left');
  assert.equal(countText('x'.repeat(161), each), '2 segments, 0.158 AUD; 145 left');
  assert.equal(countText('ї', each), '1 segment (special characters), 0.079 AUD; 69 left');
  assert.deepEqual(
    [costOf(10, each), costOf(3, { units: 1, decimals: 0, currency: 'JPY' })],
    ['0.790 AUD', '3.00 JPY'],
  );
  assert.equal(costOf(3, { units: 8, decimals: 2, currency: 'EUR' }), '0.24 EUR');
});
