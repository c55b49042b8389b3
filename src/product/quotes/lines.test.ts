/** The lines of a quote: parsing, and sums without rounding errors of binary floats (specification: Quotes 4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FieldError } from '#errors.ts';
import { readLines, totalCents } from './lines.ts';

function read(...texts: string[]) {
  const errors: FieldError[] = [];
  return { ...readLines(texts, errors), errors: errors.map(({ field }) => field) };
}

test('title, quantity and unit price; the title may contain colons; totals are rounded half up to cents', () => {
  assert.deepEqual(read('Brake pads:2:94.50', 'Oil: 5W-30 : 4.5 : 13.33', 'Check:1:0', 'Third:0.333:0.15'), {
    lines: [
      { title: 'Brake pads', quantity: 2, unitPrice: 94.5, total: 189 },
      // 59.985
      { title: 'Oil: 5W-30', quantity: 4.5, unitPrice: 13.33, total: 59.99 },
      { title: 'Check', quantity: 1, unitPrice: 0, total: 0 },
      // 0.04995
      { title: 'Third', quantity: 0.333, unitPrice: 0.15, total: 0.05 },
    ],
    total: '249.04',
    errors: [],
  });
  // In binary floats 1.005 × 100 is 100.49999…
  assert.equal(totalCents('1.005', '1.00'), 101n);
  assert.equal(totalCents('0.5', '0.01'), 1n);
  assert.equal(totalCents('0.499', '0.01'), 0n);
});

test('each bad line is named; also no lines, too many lines, and a total that is too large', () => {
  for (const text of [
    'Pads',
    'Pads:2',
    ':2:1',
    'Pads:0:1',
    'Pads:-1:1',
    'Pads:1e2:1',
    'Pads:1.2345:1',
    'Pads:1:-1',
    'Pads:1:1.005',
    'Pads:1:x',
    'Pads::',
    `${'x'.repeat(256)}:1:1`,
  ]) {
    assert.deepEqual(read('Good:1:1', text).errors, ['line[1]'], text);
  }
  assert.deepEqual(read().errors, ['line']);
  assert.deepEqual(read(...Array.from({ length: 101 }, () => 'x:1:1')).errors, ['line']);
  assert.deepEqual(read('Most:1:9999999.99').errors, []);
  assert.deepEqual(read('Most:1:9999999.99', 'More:1:0.01').errors, ['line']);
});

test('a total differs from the exact product by at most half a cent, and the sum is that of the lines', () => {
  const amount = fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 99_999 }));
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), (amounts) => {
      const texts = amounts.map(
        ([thousandths, cents]) => `x:${(thousandths / 1000).toFixed(3)}:${(cents / 100).toFixed(2)}`,
      );
      const { lines, total, errors } = read(...texts);
      assert.deepEqual(errors, []);
      let sum = 0;
      for (const [index, [thousandths, cents]] of amounts.entries()) {
        const inCents = Math.round((lines[index]?.total ?? 0) * 100);
        sum += inCents;
        const off = inCents * 1000 - thousandths * cents;
        assert.ok(off > -500 && off <= 500, texts[index] ?? '');
      }
      assert.equal(total, (sum / 100).toFixed(2));
    }),
    { numRuns: 50 },
  );
});
