/** Opt-out words: STOP, START and their like (specification: Opting out 2). */

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

/** Longer texts are never opt-out words. */
const lengthAtMost = 64;

/** People copy the quotes from "Reply STOP". */
const opening = /^[\s\p{Pi}\p{Pf}\p{Ps}"']+/u;
const closing = /[\s\p{P}]+$/u;

/**
 * Whether the whole message is an opt-out or opt-in word; null for any other text, such as "please stop the work". Case, spaces,
 * quotes around the word, closing punctuation and invisible characters are ignored, and full-width or bold letters count as plain
 * ones.
 */
export function optWord(text: string): 'stop' | 'start' | null {
  if (text.length > lengthAtMost) {
    // Any number of spaces at both ends is ignored.
    const trimmed = text.trim();
    return trimmed.length > lengthAtMost ? null : optWord(trimmed);
  }
  const word = text
    .normalize('NFKC')
    .replace(/\p{Cf}|\uFE0F/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(opening, '')
    .replace(closing, '')
    .replace(/\p{Pd}/gu, '-')
    .toUpperCase();
  if (stop.has(word)) return 'stop';
  return start.has(word) ? 'start' : null;
}
