/** Random bytes, drawn from the operating system in bulk: one draw of a few bytes costs as much as one of thousands. */
import { randomFillSync } from 'node:crypto';

const drawn = Buffer.alloc(4_096);
let used = drawn.length;

/**
 * `count` bytes (at most 4,096) that nobody else is given. For ids and codes; secrets draw their own, which leave no copy
 * in memory that is shared.
 */
export function randomBytesInBulk(count: number): Uint8Array {
  if (used + count > drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const bytes = Uint8Array.from(drawn.subarray(used, used + count));
  used += count;
  return bytes;
}
