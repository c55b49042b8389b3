/** The code of a reminder, which its SMS contains. */
import { newCode, readCode } from '#base/values/code.ts';

const length = 8;

/** The insert must still handle a code that is in use. */
export const newReminderCode = (): string => newCode(length);

/** A typed code in its stored form; null for a text that cannot be a code. */
export function readReminderCode(text: string): string | null {
  const code = readCode(text);
  return new RegExp(`^[0-9A-Z]{${length}}$`).test(code) ? code : null;
}
