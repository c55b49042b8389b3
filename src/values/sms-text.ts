/** How carriers count an SMS: 3GPP TS 23.038 (alphabets) and 23.040 (parts of a long message). */

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Two septets each: an escape and a character. */
const extended = new Set('\f^{}\\[~]|€');

export interface SmsMeasure {
  readonly encoding: 'gsm7' | 'ucs2';
  /** Parts that are sent and paid for; at least 1. */
  readonly segments: number;
  /** Septets (gsm7) or 16-bit units (ucs2) of the whole text. */
  readonly units: number;
  /** What one part holds, in those units: less in a text of several parts, each of which carries a header. */
  readonly perSegment: number;
  /** What the last part has room for, in those units. */
  readonly unitsLeft: number;
}

/** Fills parts one after the other; a character of two units never lies across two parts. */
function partsOf(sizes: readonly number[], perSegment: number): Pick<SmsMeasure, 'segments' | 'unitsLeft'> {
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > perSegment) {
      parts++;
      used = 0;
    }
    used += size;
  }
  return { segments: parts, unitsLeft: perSegment - used };
}

/** Measures a text as it would be sent. */
export function measureSms(text: string): SmsMeasure {
  const characters = [...text];
  const isGsm = characters.every((character) => basic.has(character) || extended.has(character));
  const sizes = characters.map((character) => (isGsm ? (extended.has(character) ? 2 : 1) : character.length));
  const units = sizes.reduce((sum, size) => sum + size, 0);
  const [alone, inSeries] = isGsm ? [160, 153] : [70, 67];
  const perSegment = units <= alone ? alone : inSeries;
  return { encoding: isGsm ? 'gsm7' : 'ucs2', ...partsOf(sizes, perSegment), units, perSegment };
}

/** The characters, each once, that are not of the SMS alphabet: one is enough to make the whole text UCS-2. */
export function charactersOutsideGsm(text: string): string[] {
  return [...new Set(text)].filter((character) => !basic.has(character) && !extended.has(character));
}
