/** Texts that are one word with a meaning: STOP, START, HELP and their like (specification: Opting out 2). */

const stop = new Set([
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
]);
const start = new Set(['START', 'UNSTOP']);
const help = new Set(['HELP', 'INFO']);

/** Longer texts are never such a word. */
const lengthAtMost = 64;

/** People copy the quotes from "Reply STOP". */
const opening = /^[\s\p{Pi}\p{Pf}\p{Ps}"']+/u;
const closing = /[\s\p{P}]+$/u;

/**
 * The text in capitals, when it is short enough to be a word; else null. Spaces, quotes around the word, closing punctuation and
 * invisible characters are left out, and full-width or bold letters are plain ones.
 */
function wordOf(text: string): string | null {
  if (text.length > lengthAtMost) {
    // Any number of spaces at both ends is ignored.
    const trimmed = text.trim();
    return trimmed.length > lengthAtMost ? null : wordOf(trimmed);
  }
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}|\uFE0F/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(opening, '')
    .replace(closing, '')
    .replace(/\p{Pd}/gu, '-')
    .toUpperCase();
}

/** Whether the whole message is an opt-out or opt-in word; null for any other text, such as "please stop the work". */
export function optWord(text: string): 'stop' | 'start' | null {
  const word = wordOf(text);
  if (word === null) return null;
  if (stop.has(word)) return 'stop';
  return start.has(word) ? 'start' : null;
}

/** The opt-out word that people also write of a booking. */
export const isCancel = (text: string): boolean => wordOf(text) === 'CANCEL';

/** Whether the whole message asks who sends, and how to stop it. */
export const asksForHelp = (text: string): boolean => help.has(wordOf(text) ?? '');
