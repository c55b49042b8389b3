/** Invisible characters, which copying brings along: from a contact card, a chat, a page in another direction. */

/** The characters, for a class of an expression: format characters, controls of direction, joiners, variation selectors, fillers, the blank Braille pattern. */
export const unseen = '\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800';

const marks = new RegExp(`[${unseen}]`, 'gu');

/** For a phone, a registration, an e-mail address: none of them has such a character. White space and control characters stay. */
export function withoutMarks(text: string): string {
  return text.replace(marks, '');
}
