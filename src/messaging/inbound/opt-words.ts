/** The words by which customers end SMS and have them again (decisions, section 5). */

const stop = new Set([
  'STOP',
  'STOPALL',
  'STOP ALL',
  'UNSUBSCRIBE',
  'END',
  'QUIT',
  'CANCEL',
  'OPTOUT',
  'OPT OUT',
  'OPT-OUT',
]);
const start = new Set(['START', 'UNSTOP']);

/** Longer texts are answers, whatever they hold. */
const lengthAtMost = 64;

/** People write the word as they were told to, quotes and all. */
const opening = /^[\s\p{Pi}\p{Pf}\p{Ps}"']+/u;
const closing = /[\s\p{P}]+$/u;

/**
 * What the whole message asks for; null when it is an answer: "please stop the work" is one. Case, spaces, quotes round
 * the word and closing punctuation count for nothing, nor does how a phone writes the letters: in full width, in bold,
 * with characters in between that nobody sees.
 */
export function optWord(text: string): 'stop' | 'start' | null {
  if (text.length > lengthAtMost) {
    // Spaces at the ends may be any number; what is longer without them is no word.
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
