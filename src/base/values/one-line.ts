/** Makes one line of a text, for a subject, a name, or an SMS of ours. */

/** White space and control characters in a row are one space, and none at the ends. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** The same of a text from outside, cut to a number of characters (code points): it can be stored, in a column or in JSON. */
export function oneLineOf(text: string, atMost: number): string {
  return [...oneLine(text.toWellFormed())].slice(0, atMost).join('');
}
