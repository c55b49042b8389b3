import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseRego } from './rego.ts';

test('registrations are compared in capitals without white space (specification: Regos 1)', () => {
  assert.equal(normaliseRego(' abc\u00a0 1\u30002\t3\ufeff'), 'ABC123');
  assert.equal(normaliseRego('ABC-123'), 'ABC-123');
  assert.equal(normaliseRego(' \n'), '');
  // Its capital has three parts, two of which NFC puts together.
  assert.equal(normaliseRego('\u0390'), '\u03aa\u0301');
});

test('normalising twice is normalising once', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      (text) => normaliseRego(normaliseRego(text)) === normaliseRego(text),
    ),
  );
});
