import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { freeSlug, isSlug, slugOf } from './slug.ts';

test('slugs of names', () => {
  const slugs = {
    'Carlton Motors': 'carlton-motors',
    "Joe's Garage & Söhne": 'joes-garage-sohne',
    '  24/7 Straßen-Service ': '24-7-strassen-service',
    'Ærø Łódź': 'aero-lodz',
    東京: 'workshop',
    '---': 'workshop',
  };
  for (const [name, slug] of Object.entries(slugs)) assert.equal(slugOf(name), slug, name);
});

test('every name has a valid slug', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (name) => isSlug(slugOf(name))));
});

test('a free slug is valid and unused, and is the slug itself if that is free', () => {
  const slug = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/);
  fc.assert(
    fc.property(slug, fc.integer({ min: 0, max: 30 }), (base, count) => {
      const taken = new Set<string>();
      for (let number = 0; number < count; number++) taken.add(freeSlug(base, taken));
      assert.equal(taken.size, count);
      const free = freeSlug(base, taken);
      assert.ok(isSlug(free) && !taken.has(free));
      assert.equal(free === base, count === 0);
    }),
  );
});

test('invalid slugs', () => {
  for (const text of ['', '-a', 'A', 'a b', 'ä', 'a'.repeat(64), 'a\n'])
    assert.equal(isSlug(text), false, text);
});
