/** HTTP's dates, by the examples of RFC 9110, 5.6.7. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpDateMs } from './http-date.ts';

const at = Date.UTC(1994, 10, 6, 8, 49, 37);

for (const [text, ms] of [
  ['Sun, 06 Nov 1994 08:49:37 GMT', at],
  ['Sunday, 06-Nov-94 08:49:37 GMT', at],
  ['Sun Nov  6 08:49:37 1994', at],
  ['Fri Nov 11 08:49:37 1994', at + 5 * 86_400_000],
  ['Sun, 06 Nov 1994 08:49:37 +0000', Number.NaN],
  ['Sun, 06 Nov 1994 28:49:37 GMT', Number.NaN],
  ['1994-11-06T08:49:37Z', Number.NaN],
  ['tomorrow', Number.NaN],
  ['12', Number.NaN],
  ['-1', Number.NaN],
  ['', Number.NaN],
] as const) {
  test(`${text || 'an empty one'}`, () => assert.equal(httpDateMs(text), ms));
}
