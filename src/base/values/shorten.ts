/** Shortens a text without cutting a link, and at the end of a word where there is one. */
import { linkAcross, linksIn } from './links.ts';
import { measureSms } from './sms-text.ts';

/** Three dots, since `…` is not in the SMS alphabet. */
const ellipsis = '...';

/**
 * At most that many characters (code points), three dots among them, which never touch a link. A text that fits stays as
 * it is.
 */
export function shorten(text: string, atMost: number): string {
  if (text.length <= atMost) return text;
  const characters = [...text];
  if (characters.length <= atMost) return text;
  const room = Math.max(atMost - ellipsis.length, 0);
  let kept = upTo(text, characters.slice(0, room).join('').length);
  while (endsInLink(kept)) {
    // Dots after a link would become part of it: they need a space, or the link is left out.
    const spaced = `${kept} ${ellipsis}`;
    if ([...spaced].length <= atMost) return spaced;
    kept = trimmedEnd(kept.slice(0, linksIn(kept).at(-1)?.start));
  }
  return kept + ellipsis;
}

/** At most that many SMS segments, together with `end`, a text that follows and is kept whole. */
export function shortenSms(text: string, segmentsAtMost: number, end = ''): string {
  const fit = (short: string) => measureSms(short + end).segments <= segmentsAtMost;
  if (fit(text)) return text + end;
  // Shorter texts never have more segments, so a binary search finds the longest that fits.
  let [fits, tooLong] = [0, [...text].length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (fit(shorten(text, middle))) fits = middle;
    else tooLong = middle;
  }
  return shorten(text, fits) + end;
}

/** The text up to a place, moved back to where no link and, if a word ends before it, no word is cut. */
function upTo(text: string, place: number): string {
  const link = linkAcross(linksIn(text), place);
  if (link !== null) return trimmedEnd(text.slice(0, link.start));
  const whole = /\s/.test(text.charAt(place));
  const cut = text.slice(0, place);
  const words = whole ? cut : cut.replace(/(?<!\S)\S+$/u, '');
  return trimmedEnd(words.trim() === '' ? cut : words);
}

const endsInLink = (text: string) => linksIn(text).at(-1)?.end === text.length;

/** Removes white space and opening punctuation at the end; the end of a link stays as it is. */
function trimmedEnd(text: string): string {
  const trimmed = text.trimEnd();
  return endsInLink(trimmed) ? trimmed : trimmed.replace(/(?<![\s,;:(\-–.])[\s,;:(\-–.]+$/u, '');
}
