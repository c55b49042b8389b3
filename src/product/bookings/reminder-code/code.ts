/** The code of a reminder, which its SMS names. */
import { newCode, readCode } from '#base/values/code.ts';

const length = 8;

/** The insert must still handle one that is taken. */
export const newReminderCode = (): string => newCode(length);

/** A code as people write it down, as it is stored; null for a text that can be none. */
export function readReminderCode(text: string): string | null {
  const code = readCode(text);
  return new RegExp(`^[0-9A-Z]{${length}}$`).test(code) ? code : null;
}
