/** How carriers count and cut an SMS: 3GPP TS 23.038 (alphabets) and 23.040 (parts of a long message). */
import { linksIn } from './links.ts';
import { capacity, encodingOf, type SmsEncoding, unitsOf } from './sms-alphabet.ts';

export interface SmsMeasure {
  readonly encoding: SmsEncoding;
  /** Parts that are sent and paid for; at least 1. */
  readonly segments: number;
  /** Septets (gsm7) or 16-bit units (ucs2) of the whole text. */
  readonly units: number;
  /** The capacity of a part, in those units: less in a text of several parts, which carry headers. */
  readonly perSegment: number;
  /** The room left in the last part, in those units. */
  readonly unitsLeft: number;
}

/** Measures a text as it would be sent. */
export function measureSms(text: string): SmsMeasure {
  const { encoding, sizes, units, perSegment } = sized([...text]);
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    // A character of two units never lies across two parts.
    if (used + size > perSegment) {
      segments++;
      used = 0;
    }
    used += size;
  }
  return { encoding, segments, units, perSegment, unitsLeft: perSegment - used };
}

/**
 * Cuts a text into the parts of a long message: as many as `measureSms` counts, one for a short or empty text. No
 * character is cut, and no link that a part can hold where starting a new part before it costs no further part.
 */
export function splitSms(text: string): string[] {
  const characters = [...text];
  const { sizes, units, perSegment } = sized(characters);
  if (units <= perSegment) return [text];
  const { ends, needed } = fullParts(sizes, perSegment);
  const linkStarts = startsOfLinks(text, characters);
  const parts: string[] = [];
  for (let start = 0; start < characters.length; ) {
    const full = ends[start] ?? characters.length;
    // The start of the link that the end of a full part would cut.
    const link = full < characters.length ? linkStarts[full] : undefined;
    const canMove = link !== undefined && link > start && (needed[link] ?? 0) === (needed[full] ?? 0);
    const end = canMove ? link : full;
    parts.push(characters.slice(start, end).join(''));
    start = end;
  }
  return parts;
}

function sized(characters: readonly string[]) {
  const encoding = encodingOf(characters);
  const sizes = characters.map((character) => unitsOf(character, encoding));
  const units = sizes.reduce((sum, size) => sum + size, 0);
  const { alone, inSeries } = capacity[encoding];
  return { encoding, sizes, units, perSegment: units <= alone ? alone : inSeries };
}

/** For each character: where a full part ends that starts with it, and how many parts the text from it on needs. */
function fullParts(sizes: readonly number[], perSegment: number) {
  const ends: number[] = new Array(sizes.length);
  const needed: number[] = new Array(sizes.length + 1).fill(0);
  let end = sizes.length;
  let used = 0;
  for (let start = sizes.length - 1; start >= 0; start--) {
    used += sizes[start] ?? 0;
    while (used > perSegment) used -= sizes[--end] ?? 0;
    ends[start] = end;
    needed[start] = 1 + (needed[end] ?? 0);
  }
  return { ends, needed };
}

/** For each character within a link, but its first: the index of that first one. */
function startsOfLinks(text: string, characters: readonly string[]): (number | undefined)[] {
  const starts: (number | undefined)[] = new Array(characters.length);
  const links = linksIn(text);
  let at = 0;
  let next = 0;
  let first = 0;
  for (const [index, character] of characters.entries()) {
    while (links[next] !== undefined && at >= (links[next]?.end ?? 0)) next++;
    const link = links[next];
    if (link?.start === at) first = index;
    else if (link !== undefined && at > link.start) starts[index] = first;
    at += character.length;
  }
  return starts;
}
