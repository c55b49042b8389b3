/** What every string of a request goes through before it is checked (decisions, section 1, Strings). */
import { aroundLinks } from './links.ts';

const depthAtMost = 64;

/**
 * More marks on one letter than any language writes (Unicode's stream-safe format allows 30). Putting a long run of
 * them in order takes time by its square: 4.6 s were measured for 120,000. Such a text stays as it was sent.
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

/** Nothing that anybody could see: white space, zero-width and other format characters, fillers, the blank Braille pattern. */
const invisible = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+$/u;

/**
 * Trimmed, in NFC, lone surrogates replaced; a text without a visible character is empty. A link keeps its characters:
 * another form of them may lead nowhere.
 */
export function normaliseString(text: string): string {
  const whole = text.toWellFormed();
  const normal = trim(markRun.test(whole) ? whole : aroundLinks(whole, (piece) => piece.normalize('NFC')));
  return invisible.test(normal) ? '' : normal;
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
