/** People's names. */
import { normaliseString } from './text.ts';

/** The first visible word, and the rest; null for a missing part. */
export function splitName(name: string): { firstName: string | null; lastName: string | null } {
  const [first = '', ...rest] = name
    .split(/[\p{White_Space}\uFEFF]+/u)
    .filter((word) => normaliseString(word) !== '');
  return { firstName: first || null, lastName: rest.join(' ') || null };
}
