/** Reads an e-mail that may be larger than the limit. */
import { mailAtMost } from './bounds.ts';

/**
 * Reads to the end, since a mail server treats a closed pipe as a failure. Keeps one byte more than the limit, which shows that the
 * e-mail is too large.
 */
export async function readMail(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  let room = mailAtMost + 1;
  for await (const chunk of source) {
    if (room > 0) kept.push(chunk.subarray(0, room));
    room -= Math.min(room, chunk.length);
  }
  return Buffer.concat(kept);
}
