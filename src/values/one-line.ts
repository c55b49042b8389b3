/** A text where there is room for one line: a subject, a name, an SMS of ours. */

/** White space and control characters in a row are one space, and none at the ends. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
