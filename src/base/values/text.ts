/** Normalises every string of a request before it is checked (specification: Requests and responses 8). */
import { withoutControls } from './controls.ts';
import { unseen } from './invisible.ts';
import { aroundLinks } from './links.ts';

const depthAtMost = 64;

/**
 * More combining marks on one letter than any language uses (Unicode's stream-safe format allows 30). Normalising a long run
 * of them takes quadratic time: 4.6 s were measured for 120,000. Such a text stays as it was sent.
 */
const markRun = /\p{M}{31}/u;

/** A JSON value nested deeper than 64 levels. */
export class TooDeep extends RangeError {}

function isSpace(code: number): boolean {
  return code === 0x85 || /\s/.test(String.fromCharCode(code));
}

/** Without white space at both ends: what JavaScript trims, and NEL (U+0085), which Unicode counts too. */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Invisible text: white space, zero-width and other format characters, fillers, the blank Braille pattern. */
const invisible = new RegExp(`^[\\p{White_Space}${unseen}]+$`, 'u');

/**
 * Trimmed, in NFC, lone surrogates replaced; a text without a visible character is empty. Links are not normalised: that could
 * change where they lead.
 */
export function normaliseString(text: string): string {
  const whole = text.toWellFormed();
  const normal = trim(markRun.test(whole) ? whole : aroundLinks(whole, (piece) => piece.normalize('NFC')));
  return invisible.test(normal) ? '' : normal;
}

/** A text of several lines, normalised, without control characters; one with NUL keeps all of them, since it is refused. */
export function cleanText(text: string): string {
  return normaliseString(text.includes('\0') ? text : withoutControls(text));
}

function normalise(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return normaliseString(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === depthAtMost) throw new TooDeep(`nested deeper than ${depthAtMost} levels`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = normalise(item, depth + 1);
  } else {
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) record[key] = normalise(record[key], depth + 1);
  }
  return value;
}

/** Normalises every string of a parsed JSON value, in place, and returns it. Keys stay. Throws TooDeep. */
export function normaliseStrings(value: unknown): unknown {
  return normalise(value, 0);
}
