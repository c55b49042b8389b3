/** Compares secrets. */
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Takes the same time wherever the texts differ. */
export function isSameText(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}
