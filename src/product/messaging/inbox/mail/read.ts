/** Reads an e-mail that may be larger than what is taken. */
import { mailAtMost } from './bounds.ts';

/** Reads to the end, since a mail server takes a closed pipe for a failure; keeps one byte more than is taken, which tells that it is too large. */
export async function readMail(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const kept: Buffer[] = [];
  let room = mailAtMost + 1;
  for await (const chunk of source) {
    if (room > 0) kept.push(chunk.subarray(0, room));
    room -= Math.min(room, chunk.length);
  }
  return Buffer.concat(kept);
}
