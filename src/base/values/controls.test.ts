/** Characters by which a text would change what is shown around it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/fixtures/any-character.ts';
import { escapedControls, escapedTwice, terminalText, withoutControls } from './controls.ts';
import { cleanText } from './text.ts';

const direction = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const texts = fc.string({
  unit: fc.oneof(anyCharacter, fc.constantFrom(...`\u001b\u009b\u0085\r\n\t"\\u${direction}`)),
});

test('what is stored keeps tabs and line breaks, and ends lines where control characters do', () => {
  assert.equal(withoutControls('a\tb\r\nc\nd'), 'a\tb\r\nc\nd');
  assert.equal(withoutControls('\u0000a\u0007\u001b[31m\u007f\u009bb'), 'a[31mb');
  assert.equal(withoutControls('a\vb\fc\u0085d'), 'a\nb\nc\nd');
  assert.equal(withoutControls('می\u200Cخواهم \u202eabc'), 'می\u200Cخواهم \u202eabc');
  assert.equal(cleanText(' \u0007 x \u001b '), 'x');
});

test('escaped JSON means the same, and holds nothing that acts on a terminal', () => {
  assert.equal(escapedControls(JSON.stringify(`a\u0085\u202eb`)), '"a\\u0085\\u202eb"');
  fc.assert(
    fc.property(texts, (text) => {
      const json = escapedControls(JSON.stringify({ [text]: [text] }, null, 2));
      assert.doesNotMatch(json, acting);
      assert.deepEqual(JSON.parse(json), { [text]: [text] });
    }),
  );
});

test('a text on a terminal keeps its colours and lines alone', () => {
  const red = '\u001b[31mfailed\u001b[39m';
  assert.equal(terminalText(`${red}\n\tx`), `${red}\n\tx`);
  assert.equal(terminalText('a\u001b]0;title\u0007b\u001b[2Jc\rd\u2028e'), 'a]0;titleb[2Jcde');
  fc.assert(
    fc.property(texts, (text) =>
      assert.doesNotMatch(terminalText(text).replace(/\u001b\[[\d;]*m/g, ''), acting),
    ),
  );
});

test('a line of JSON that is escaped twice shows the escapes in its texts', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const shown = JSON.parse(escapedTwice(JSON.stringify({ text }))).text;
      assert.doesNotMatch(shown, acting);
      if (!acting.test(text) && text.isWellFormed()) assert.equal(shown, text);
    }),
  );
  assert.equal(JSON.parse(escapedTwice('"a\\u001b[2J\\\\u001b\\n"')), 'a\\u001b[2J\\u001b\n');
});
