import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { normaliseString, normaliseStrings, TooDeep } from './text.ts';

const whole = fc.string({ unit: anyCharacter });
const broken = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));

test('strings are trimmed, normalised to NFC, and well formed', () => {
  assert.equal(normaliseString(' \u0085\u00a0\u3000\ufeffa b\t\r\n\u2028'), 'a b');
  assert.equal(normaliseString('Zoe\u0308'), 'Zoë');
  assert.equal(normaliseString('a\ud800b'), 'a\ufffdb');
  assert.equal(normaliseString('a\u200bb\u200d'), 'a\u200bb\u200d');
});

test('a text without a visible character is empty', () => {
  for (const text of [
    '\u200b',
    ' \u2060 \u00ad',
    '\ufe0f',
    '\u3164\u115f\uffa0',
    '\u2800',
    '\u{e0041}',
    '\u202e\u200f',
  ]) {
    assert.equal(normaliseString(text), '', JSON.stringify(text));
  }
  for (const text of ['.', '\u0301', '👍🏽', '\u0000', '漢']) assert.equal(normaliseString(text), text);
});

test('a link in a text keeps its characters', () => {
  const link = 'https://a.example/Zoe\u0308/\u212b?x=\u1e9b\u0323';
  assert.equal(normaliseString(` Zoe\u0308: ${link} Zoe\u0308 `), `Zoë: ${link} Zoë`);
  assert.equal(normaliseString(`\u0308${link}\u0085`), `\u0308${link}`);
});

test('a normalised string is well formed and in NFC, and normalising it again changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(whole, broken), (text) => {
      const once = normaliseString(text);
      assert.equal(once, once.trim());
      assert.ok(once.isWellFormed());
      assert.equal(once, once.normalize('NFC'));
      assert.equal(normaliseString(once), once);
    }),
  );
});

test('a text that is costly to normalise does not block the process', () => {
  const marks = '\u0301'.repeat(60_000) + '\u0316'.repeat(60_000);
  const started = process.cpuUsage();
  assert.equal(normaliseString(marks), marks);
  assert.equal(normaliseString(`x${' '.repeat(250_000)}x`).length, 250_002);
  // 4.6 s without the guard on the machine where it was measured.
  assert.ok(process.cpuUsage(started).user < 1_000_000);
});

test('every string of a JSON value is normalised in place, and nothing else changes', () => {
  const body = { a: ' x ', list: [' y ', 1, null, true, { b: ' z ' }], ' key ': 2 };
  assert.equal(normaliseStrings(body), body);
  assert.deepEqual(body, { a: 'x', list: ['y', 1, null, true, { b: 'z' }], ' key ': 2 });
  assert.equal(normaliseStrings(' a '), 'a');
  for (const value of [null, 1, true, undefined]) assert.equal(normaliseStrings(value), value);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const expected = JSON.parse(JSON.stringify(value), (_, part) =>
        typeof part === 'string' ? normaliseString(part) : part,
      );
      assert.deepEqual(normaliseStrings(JSON.parse(JSON.stringify(value))), expected);
    }),
  );
});

test('a value of 64 levels is accepted, a deeper one refused', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
  assert.doesNotThrow(() => normaliseStrings(nested(64)));
  assert.throws(() => normaliseStrings(nested(65)), TooDeep);
  let deep: unknown = 'x';
  for (let depth = 0; depth < 100_000; depth++) deep = { deep };
  assert.throws(() => normaliseStrings(deep), TooDeep);
});
