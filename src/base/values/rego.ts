/** Car registrations as they are stored and compared (specification: Regos). */

/** Upper-case, without white space and what has no width, in NFC (capitals may leave it). May be longer than the text sent (ß becomes SS), and empty. */
export function normaliseRego(text: string): string {
  return text
    .replace(/[\p{White_Space}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase()
    .normalize('NFC');
}
