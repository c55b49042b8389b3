import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linksIn } from './links.ts';
import { shorten, shortenSms } from './shorten.ts';
import { measureSms } from './sms-text.ts';

const link = 'https://pitlane.example/b/7K3M9QXW?a=1&b=[2]';
const words = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '.', ',', 'ё', '😀', '€'), minLength: 1, maxLength: 14 }),
  fc.constantFrom(link, 'https://é.example/x', '(see', 'HTTP://A.EXAMPLE'),
);
const texts = fc.array(words, { maxLength: 120 }).map((list) => list.join(' '));

test('a text that fits stays as it is', () => {
  assert.equal(shorten('Main St. Motors', 15), 'Main St. Motors');
  assert.equal(shorten('', 3), '');
  assert.equal(shorten('😀'.repeat(10), 10), '😀'.repeat(10));
});

test('a longer text ends with a whole word and three dots', () => {
  assert.equal(shorten('Featherstonehaugh and Sons Motor Repairs', 30), 'Featherstonehaugh and Sons...');
  assert.equal(shorten('One, two, three', 12), 'One, two...');
  assert.equal(shorten('One two three', 10), 'One two...');
  assert.equal(shorten('Supercalifragilistic', 10), 'Superca...');
  assert.equal(shorten('😀'.repeat(10), 5), '😀😀...');
});

test('a link is whole and separate from the dots, or left out', () => {
  assert.equal(shorten(`See ${link} for more`, 4 + link.length + 2), 'See...');
  assert.equal(shorten(`See ${link} for more`, 4 + link.length + 4), `See ${link} ...`);
  assert.equal(shorten(`See ${link} for more`, 20), 'See...');
  assert.equal(shorten(link, 20), '...');
});

test('never too long, never a cut link or character, never a cut word after another', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 3, max: 300 }), (text, atMost) => {
      const short = shorten(text, atMost);
      assert.ok([...short].length <= atMost);
      assert.ok(short.isWellFormed());
      if (short === text) return;
      const known = linksIn(text).map((one) => one.text);
      for (const { text: kept } of linksIn(short)) assert.ok(known.includes(kept), kept);
      const kept = short.replace(/ ?\.\.\.$/, '');
      assert.ok(text.startsWith(kept));
      const cut = /\s/.test(kept) && /[\p{L}\p{S}]/u.test(text.slice(kept.length)[0] ?? ' ');
      assert.ok(!cut, `${kept}|${text.slice(kept.length)}`);
    }),
    { numRuns: 1_000 },
  );
});

test('at most that many segments, and no more is cut than necessary', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 10 }), (text, atMost) => {
      const short = shortenSms(text, atMost);
      assert.ok(measureSms(short).segments <= atMost);
      if (measureSms(text).segments <= atMost) assert.equal(short, text);
    }),
    { numRuns: 300 },
  );
  const long = 'word '.repeat(500);
  const short = shortenSms(long, 10);
  assert.deepEqual(
    [measureSms(short).segments, short.length > 1_500, short.endsWith('word...')],
    [10, true, true],
  );
});
