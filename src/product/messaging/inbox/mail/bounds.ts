/** Limits of an e-mail, checked before it is parsed, since each line and each part costs time and memory. */

/** In bytes, including attachments, which are not passed on. */
export const mailAtMost = 10 * 1024 * 1024;
/** 10 MB of attachments have 140,000. */
export const linesAtMost = 150_000;
/** Lines that look like boundaries between parts; the text of a reply may contain some too. */
export const partsAtMost = 1_000;
/** Levels of nested parts. */
export const nestedAtMost = 20;

/** Why the e-mail is refused, in words for its author; null when it is accepted. Takes a few milliseconds for 10 MB. */
export function whyNotRead(raw: Buffer): string | null {
  if (raw.length > mailAtMost) return `is larger than ${mailAtMost / 1024 / 1024} MB`;
  let [lines, parts] = [0, 0];
  for (let end = raw.indexOf(0x0a); end >= 0; end = raw.indexOf(0x0a, end + 1)) {
    if (++lines > linesAtMost) return `has more than ${linesAtMost.toLocaleString('en')} lines`;
    if (raw[end + 1] === 0x2d && raw[end + 2] === 0x2d && ++parts > partsAtMost) {
      return `has more than ${partsAtMost.toLocaleString('en')} parts`;
    }
  }
  return null;
}
