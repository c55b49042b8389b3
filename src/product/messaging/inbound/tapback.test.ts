/** Which texts are tapbacks (specification: Customers' answers 7). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/fixtures/any-character.ts';
import { isAbout, readTapback } from './tapback.ts';

const ours = 'Hi Sam, your “Swift” is ready - come by until 5 pm.\nHarbour Motors';

for (const [text, sign, isRemoved] of [
  [`Liked “${ours}”`, '👍', false],
  [`Loved "${ours}"`, '❤️', false],
  [`Disliked “${ours}”`, '👎', false],
  [`Laughed at “${ours}”`, '😂', false],
  [`Emphasized “${ours}”`, '‼️', false],
  [`Emphasised “${ours}”`, '‼️', false],
  [`Questioned “${ours}”`, '❓', false],
  [`Reacted 👍🏽 to “${ours}”`, '👍🏽', false],
  [`Removed a like from “${ours}”`, '👍', true],
  [`Removed a question mark from “${ours}”`, '❓', true],
  [`Removed 🎉 from “${ours}”`, '🎉', true],
  [`👍 to “${ours}”`, '👍', false],
  ['Liked “Hi Sam, your "Swift" is ready — come…”', '👍', false],
  ['Liked “Hi Sam, your…”', '👍', false],
] as const) {
  test(`a tapback: ${text.slice(0, 40)}`, () => {
    const found = readTapback(text) ?? assert.fail('it is read as none');
    assert.deepEqual([found.sign, found.isRemoved, isAbout(found, ours)], [sign, isRemoved, true]);
  });
}

test('other words, other texts and anything beside the quote are answers', () => {
  for (const text of [
    `I liked “${ours}”`,
    `Liked “${ours}” a lot`,
    `Liked ${ours}`,
    'Liked',
    'Liked “”',
    'Liked "',
    `Reacted yes to “${ours}”`,
    `What do you mean by “${ours}”`,
    'Yes',
  ])
    assert.equal(readTapback(text), null, text);
  for (const text of ['Liked “See you at 9”', 'Liked “Hi…”', 'Liked “ready - come by”'])
    assert.equal(isAbout(readTapback(text) ?? assert.fail(text), ours), false, text);
});

test('any text is read, in time that grows with its length alone', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), (text) => {
      const found = readTapback(`Liked “${text}”`);
      if (found !== null) isAbout(found, text);
    }),
  );
  for (const text of ['“'.repeat(300_000), `Liked “${' '.repeat(300_000)}”`, '👍'.repeat(150_000)])
    readTapback(text);
});
