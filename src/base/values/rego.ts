/** Car registrations as they are stored and compared (specification: Regos). */

import { withoutMarks } from './invisible.ts';

/** Upper-case, without white space and what nobody sees, in NFC (capitals may leave it). May be longer than the text sent (ß becomes SS), and empty. */
export function normaliseRego(text: string): string {
  return withoutMarks(text)
    .replace(/\p{White_Space}/gu, '')
    .toUpperCase()
    .normalize('NFC');
}
