/** Exif (CIPA DC-008): whether metadata rotate a picture, which would be shown unrotated once they are removed. */
import { BadPicture } from './kind.ts';

const orientation = 0x0112;
const entryBytes = 12;

/**
 * Throws BadPicture if Exif data (a TIFF header, and the directory that it points to) rotate or mirror the picture; damaged data
 * are ignored.
 */
export function requireUpright(exif: Buffer): void {
  const byteOrder = exif.toString('latin1', 0, 4);
  if (byteOrder !== 'II*\0' && byteOrder !== 'MM\0*') return;
  const isLittle = byteOrder.startsWith('I');
  const number = (at: number, bytes: number) => {
    if (at + bytes > exif.length) return 0;
    return isLittle ? exif.readUIntLE(at, bytes) : exif.readUIntBE(at, bytes);
  };
  const directory = number(4, 4);
  const entries = Array.from({ length: number(directory, 2) }, (_, n) => directory + 2 + n * entryBytes);
  const turned = entries.find((at) => number(at, 2) === orientation);
  const value = turned === undefined ? 1 : number(turned + 8, 2);
  if (value >= 2 && value <= 8)
    throw new BadPicture('is turned by its metadata alone: open it, and save it upright');
}
