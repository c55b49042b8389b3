import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMoney, settleMoney } from './money.ts';

test('amounts have at most two decimals and are not negative (specification: Money 1)', () => {
  for (const amount of [0, 0.01, 0.1, 1.15, 4.35, 19.99, 100, 1e6, 9_999_999.99])
    assert.ok(isMoney(amount), String(amount));
  const refused = [
    -0.01,
    -1,
    0.001,
    19.999,
    1e-7,
    9_999_999.999,
    10_000_000,
    1e21,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ];
  for (const amount of [...refused, 0.1 + 0.2]) assert.equal(isMoney(amount), false, String(amount));
});

test('every whole number of cents up to the limit is an amount', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => isMoney(Number(`${cents}e-2`))));
});

test('a third decimal is one too many', () => {
  const thousandths = fc.integer({ min: 0, max: 9_999_999_990 }).filter((value) => value % 10 !== 0);
  fc.assert(fc.property(thousandths, (value) => !isMoney(Number(`${value}e-3`))));
});

test('the error of a sum of binary floats is rounded away, and nothing else (specification: Money 1)', () => {
  for (const [sent, settled] of [
    [0.1 + 0.2, 0.3],
    [1.1 + 2.2, 3.3],
    [19.99, 19.99],
    [-1e-9, 0],
    [9_999_999.990_000_01, 9_999_999.99],
    [0.999_999_5, 1],
    [1.000_002, 1.000_002],
    [1.005, 1.005],
    [-1, -1],
    [1e300, 1e300],
  ] as const) {
    assert.ok(Object.is(settleMoney(sent), settled), String(sent));
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 99_999 }), (one, other) => {
      assert.equal(settleMoney(one / 100 + other / 100), (one + other) / 100);
    }),
  );
});
