import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isolated, runsRightToLeft, visible } from './bidi.ts';
import { measureSms } from './sms-text.ts';

test('what nobody sees and what turns text round is taken out; joiners of scripts and emoji stay (specification: Notices 22)', () => {
  assert.equal(visible('Sam\u202E rolyaT\u200B\uFEFF\u2066'), 'Sam rolyaT');
  for (const kept of ['می\u200Cخواهم', '👩\u200D🔧', 'ÄÖ ß', 'नमस्ते']) assert.equal(visible(kept), kept);
});

test('a name that runs from right to left is isolated, line by line; any other text stays as it is (specification: Notices 22)', () => {
  assert.equal(isolated('שרה כהן'), '\u2068שרה כהן\u2069');
  assert.equal(isolated('Call\nمحمد'), 'Call\n\u2068محمد\u2069');
  assert.equal(isolated('Ольга 丰田'), 'Ольга 丰田');
});

test('it never makes an SMS UCS-2 that was not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(measureSms(isolated(text)).encoding, measureSms(text).encoding);
    }),
    { numRuns: 50 },
  );
});

test('the direction is that of most letters', () => {
  assert.equal(runsRightToLeft('Hi שרה, your booking'), false);
  assert.equal(runsRightToLeft('שלום Sam'), true);
  assert.equal(runsRightToLeft('Hi \u2068שרה\u2069,'), false);
  assert.equal(runsRightToLeft('0491 570 006'), false);
});
