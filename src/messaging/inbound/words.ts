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
]);
const start = new Set(['START', 'UNSTOP']);

/** Longer texts are answers, whatever they hold. */
const lengthAtMost = 64;

/**
 * What the whole message asks for, case, spaces and closing punctuation aside; null when it is an answer. "please stop
 * the work" is one.
 */
export function optWord(text: string): 'stop' | 'start' | null {
  const trimmed = text.trim();
  if (trimmed.length > lengthAtMost) return null;
  const word = trimmed
    .replace(/[\s\p{P}]+$/u, '')
    .replace(/\s+/gu, ' ')
    .toUpperCase();
  if (stop.has(word)) return 'stop';
  return start.has(word) ? 'start' : null;
}
