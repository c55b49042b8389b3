/** Numbers as people type them are read as they were meant, or not at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainDecimal } from './typed-decimal.ts';

test('a decimal comma, thousands set apart, the sign of a currency; what is no number stays as it is', () => {
  for (const [typed, plain] of [
    ...[
      ['1.5', '1.5'],
      ['1,5', '1.5'],
      ['94,50', '94.50'],
      ['1.234,50', '1234.50'],
      ['1,234.50', '1234.50'],
      ['1,234,567', '1234567'],
    ],
    ...[
      ["1'234.50", '1234.50'],
      ['1 234,50', '1234.50'],
      ['$94.50', '94.50'],
      ['94,50 €', '94.50'],
      ['0,333', null],
    ],
    ...[
      ['1,234', null],
      ['$1,234', null],
      ['-1', '-1'],
      ['1,2,3', '1,2,3'],
      ['1.2.3', '1.2.3'],
      ['1,23.4', '1,23.4'],
      ['', ''],
    ],
    ...[
      ['1e3', '1e3'],
      ['two', 'two'],
      ['1.234', '1.234'],
      ['1.234.567', '1.234.567'],
    ],
  ] as const)
    assert.equal(plainDecimal(typed ?? ''), plain, String(typed));
});

test('however an amount is written, it is read as that amount or not at all', () => {
  const languages = ['en-AU', 'de-DE', 'fr-FR', 'de-CH', 'en-IE'];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.constantFrom(...languages),
      fc.boolean(),
      fc.integer({ min: 0, max: 2 }),
      (cents, language, useGrouping, decimals) => {
        const amount = Math.round(cents / 10 ** (2 - decimals)) / 10 ** decimals;
        const fractions = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
        const typed = new Intl.NumberFormat(language, { useGrouping, ...fractions }).format(amount);
        const plain = plainDecimal(typed) ?? '';
        // What is refused later or here is never another amount: `1.234` stays one with three decimals, which no price has.
        if (/^\d+(?:\.\d{1,2})?$/.test(plain)) assert.equal(Number(plain), amount, typed);
      },
    ),
    { numRuns: 300 },
  );
});

test('what is longer than any number stays as it is, and is looked at once', () => {
  const before = process.cpuUsage();
  for (const gap of [' ', '\u00a0', '1', ',', '$', '1,111'])
    for (const ends of ['1', '$', ''] as const) {
      const typed = ends + gap.repeat(Math.floor(1_000_000 / gap.length)) + ends;
      assert.equal(plainDecimal(typed), typed);
    }
  // A price of 30 KB took seconds.
  assert.ok(process.cpuUsage(before).user < 1_000_000);
  assert.equal(plainDecimal(`$${' '.repeat(30)}94,50${' '.repeat(20)}€`), '94.50');
});
