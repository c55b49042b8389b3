/** Which texts are opt-out words (specification: Opting out 2). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/fixtures/any-character.ts';
import { optWord } from './opt-words.ts';

const stops = [
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'END',
  'QUIT',
  'CANCEL',
  'REVOKE',
  'OPTOUT',
  'OPT OUT',
  'OPT-OUT',
];
const starts = ['START', 'UNSTOP'];
const all = [...stops, ...starts];
const meaning = (word: string) => (stops.includes(word) ? 'stop' : 'start');

const word = fc.constantFrom(...all);
const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\u00a0'), maxLength: 5 });
const closing = fc.string({ unit: fc.constantFrom('.', '!', '?', ' ', '…', ')', '"'), maxLength: 5 });
const cased = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((c, i) => (upper[i] ? c.toUpperCase() : c.toLowerCase())).join(''));

test('each opt-out word counts, whatever its case, spaces and closing punctuation', () => {
  fc.assert(
    fc.property(
      word.chain((w) => fc.tuple(fc.constant(w), cased(w), space, closing, space)),
      ([w, typed, before, after, end]) => {
        assert.equal(optWord(`${before}${typed}${after}${end}`), meaning(w));
      },
    ),
  );
  assert.equal(optWord('stop \n  all.'), 'stop');
});

test('an opt-out word among other words does not count', () => {
  const other = fc.stringMatching(/^[a-z0-9]{1,12}$/).filter((text) => !/^(?:all|out)$/.test(text));
  fc.assert(
    fc.property(word, other, fc.boolean(), (w, text, first) => {
      assert.equal(optWord(first ? `${text} ${w}` : `${w} ${text}`), null);
    }),
  );
  for (const text of [
    'please stop the work',
    'Stop. Call me',
    '',
    '.',
    '…',
    'stopp',
    'S T O P',
    'no stop',
    '1 STOP',
    'STOP 1',
    'STOP START',
    'ST.OP',
    '-STOP',
    'СТОП',
    'ЅТОР',
    'STOP 🛑',
    'unsubscribe me from this list',
    'can you quit the quote and cancel?',
  ]) {
    assert.equal(optWord(text), null, text);
  }
});

test('a word counts in full-width or bold letters, with quotes, and with invisible characters', () => {
  const same = [
    '\u201cSTOP\u201d',
    '"Stop"',
    "'stop.'",
    '«STOP»',
    '(STOP)',
    '\ufeffSTOP',
    'ST\ufeffOP',
    'ST\u200bOP',
    'S\u00adT\u2060O\u200dP',
    '\u202aSTOP\u202c',
    '\u00a0STOP\u202f',
    'STOP\u00a0ALL',
    'STOP\u3000ALL',
    'ＳＴＯＰ',
    'ｓｔｏｐ。',
    '𝗦𝗧𝗢𝗣',
    'ⓢⓣⓞⓟ',
    'ﬆop',
    'opt\u2011out',
    'STOP\u0085',
    'STOP@',
    `${' '.repeat(100)}STOP${'\n'.repeat(100)}`,
  ];
  for (const text of same) assert.equal(optWord(text), 'stop', JSON.stringify(text));
  assert.equal(optWord('\u201cStart\u201d'), 'start');
});

test('any text is decided, in bounded time', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 2_000 }), (text) => {
      assert.ok([null, 'stop', 'start'].includes(optWord(text)));
    }),
  );
  assert.equal(optWord(`${'.'.repeat(1_000_000)}a`), null);
});
