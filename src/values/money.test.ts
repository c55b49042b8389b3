import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMoney } from './money.ts';

test('amounts have at most two decimals and are not negative', () => {
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
