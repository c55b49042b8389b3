/** The alphabets of SMS: 3GPP TS 23.038, the default alphabet of 7 bits with its extension table, and UCS-2. */

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Two septets each: an escape and a character. */
const extended = new Set('\f^{}\\[~]|€');

export type SmsEncoding = 'gsm7' | 'ucs2';

/** True when one message of 7-bit characters can hold it. */
export function isGsm(character: string): boolean {
  return basic.has(character) || extended.has(character);
}

/** The alphabet of a whole text: one character outside the 7-bit one makes all of it UCS-2. */
export function encodingOf(characters: readonly string[]): SmsEncoding {
  return characters.every(isGsm) ? 'gsm7' : 'ucs2';
}

/** Septets (gsm7) or 16-bit units (ucs2) of one code point. */
export function unitsOf(character: string, encoding: SmsEncoding): number {
  if (encoding === 'ucs2') return character.length;
  return extended.has(character) ? 2 : 1;
}

/** Units in a message of one segment, and in each segment of several, whose header takes six octets. */
export const capacity = {
  gsm7: { alone: 160, inSeries: 153 },
  ucs2: { alone: 70, inSeries: 67 },
} as const;

/** The characters outside the SMS alphabet, each once: one of them makes the whole text UCS-2. */
export function charactersOutsideGsm(text: string): string[] {
  return [...new Set(text)].filter((character) => !isGsm(character));
}
