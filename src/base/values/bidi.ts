/** Texts that run from right to left, and invisible characters that would turn other text round. */

const rtl =
  '\\p{Script=Arabic}\\p{Script=Hebrew}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}';
const rtlLetter = new RegExp(`[${rtl}]`, 'u');
const rtlLetters = new RegExp(`[${rtl}]`, 'gu');

/**
 * Controls of direction, and characters without width. The joiners U+200C and U+200D stay: Persian, Indic scripts and emoji
 * are written with them.
 */
const invisible = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** Without characters that nobody sees and that turn text round, hide in a name, or make an SMS cost more. */
export function visible(text: string): string {
  return text.replace(invisible, '');
}

/**
 * Keeps a text that runs from right to left from turning round what stands beside it (U+2068 … U+2069, a line at a time). Any
 * other text stays as it is, so that an SMS never leaves the SMS alphabet for this.
 */
export function isolated(text: string): string {
  return text.replace(/[^\n]+/g, (line) => (rtlLetter.test(line) ? `\u2068${line}\u2069` : line));
}

/** True when most of the letters run from right to left; names that are isolated have no say. */
export function runsRightToLeft(text: string): boolean {
  const own = text.replace(/\u2068[^\u2069]*\u2069/g, '');
  const all = own.match(/\p{L}/gu)?.length ?? 0;
  return (own.match(rtlLetters)?.length ?? 0) * 2 > all;
}
