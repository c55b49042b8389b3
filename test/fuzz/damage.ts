/** Damage that networks and faulty programs do to the bytes of a body. */
import fc, { type Arbitrary } from 'fast-check';

type Spoil = (text: string, at: number, piece: string) => Buffer;

const ways: Readonly<Record<string, Spoil>> = {
  cut: (text, at) => Buffer.from(text.slice(0, at)),
  insert: (text, at, piece) =>
    Buffer.concat([
      Buffer.from(text.slice(0, at)),
      Buffer.from(piece, 'latin1'),
      Buffer.from(text.slice(at)),
    ]),
  prefix: (text, _, piece) => Buffer.from(piece + text),
  suffix: (text, _, piece) => Buffer.from(text + piece),
  utf16: (text) => Buffer.from(text, 'utf16le'),
  latin1: (text, at) => Buffer.from(`${text.slice(0, at)}é${text.slice(at)}`, 'latin1'),
  twice: (text) => Buffer.from(text + text),
  huge: (text) => Buffer.from(`${' '.repeat(256 * 1024)}${text}`),
  nothing: () => Buffer.alloc(0),
};

const pieces = [...'\0\n\x1a "{,\\]\ud800\ufeff', '\xff\xfe', '// a'];

/** Turns a text into bytes, with one thing wrong. */
export const damage: Arbitrary<(text: string) => Buffer> = fc
  .tuple(fc.constantFrom(...Object.entries(ways)), fc.nat(), fc.constantFrom(...pieces))
  .map(
    ([[, spoil], place, piece]) =>
      (text) =>
        spoil(text, place % (text.length + 1), piece),
  );
