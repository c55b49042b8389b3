/** The default alphabet of SMS, one septet an octet, as SMPP carries it (3GPP TS 23.038, section 6.2.1). */

const shift = 0x1b;
/** Characters by septet; the escape stands in its place. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Characters after an escape. */
const extension = new Map([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
]);

const septets = new Map<string, readonly number[]>([
  ...[...basic].map((character, septet) => [character, [septet]] as const),
  ...[...extension].map(([septet, character]) => [character, [shift, septet]] as const),
]);

/** Throws for a character that the alphabet lacks: no character is replaced by another. */
export function encodeGsm7(text: string): Buffer {
  return Buffer.from(
    [...text].flatMap((character) => {
      const known = septets.get(character);
      if (known === undefined || character === '\x1b') throw new Error('not of the SMS alphabet');
      return known;
    }),
  );
}

/** An escape pair that no table has is its second character, as the standard asks of a receiver; an octet above 127 is U+FFFD. */
export function decodeGsm7(octets: Buffer): string {
  let text = '';
  for (let index = 0; index < octets.length; index++) {
    const octet = octets[index] ?? 0;
    if (octet === shift) {
      const next = octets[++index];
      if (next !== undefined) text += extension.get(next) ?? basic.charAt(next).replace('\x1b', ' ');
    } else text += basic.charAt(octet) || '\ufffd';
  }
  return text;
}
