/** People's names. */
import { normaliseString } from './text.ts';

/** The first visible word, as `greetedName`, and the rest; null for a missing part (specification: Bookings 2). */
export function splitName(name: string): { firstName: string | null; lastName: string | null } {
  const [first = '', ...rest] = name
    .split(/[\p{White_Space}\uFEFF]+/u)
    .filter((word) => normaliseString(greetedName(word)) !== '');
  return { firstName: greetedName(first) || null, lastName: rest.join(' ') || null };
}

/** Without the marks at its end by which lists part a name: "Hi O’Brien," for `O’Brien; Pat`. */
export const greetedName = (word: string): string => word.replace(/(?<![,;:])[,;:]+$/, '');
