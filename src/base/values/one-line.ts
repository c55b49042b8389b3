/** Makes one line of a text, for a subject, a name, or an SMS of ours. */

/** White space and control characters in a row are one space, and none at the ends. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
