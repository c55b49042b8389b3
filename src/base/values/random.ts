/** Random bytes, drawn from the operating system in bulk: one draw of a few bytes costs as much as one of thousands. */
import { randomFillSync } from 'node:crypto';

const drawn = Buffer.alloc(4_096);
let used = drawn.length;

/**
 * `count` random bytes (at most 4,096), each handed out once. For ids and codes; secrets use their own draws, which leave no copy
 * in shared memory.
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
