/** The parser of a kind of picture: it reads the size and keeps only the parts of the picture itself. */

/** The picture is refused; the message is for people: `holds an animation`. */
export class BadPicture extends Error {}

export interface Picture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Only the parts that are drawn: no metadata, nothing after the end. */
  readonly content: Buffer;
}

/** Throws BadPicture. */
export type Read = (bytes: Buffer) => Picture;

const sideAtLeast = 16;
const sideAtMost = 4_096;
const areaAtMost = 4_000_000;

/** Refuses pictures that would take browsers too much memory, before anything is decompressed. */
export function requireSize(width: number, height: number): void {
  if (Math.min(width, height) < sideAtLeast)
    throw new BadPicture(`is ${width} × ${height} pixels: each side must have at least ${sideAtLeast}`);
  if (Math.max(width, height) > sideAtMost || width * height > areaAtMost)
    throw new BadPicture(
      `is ${width} × ${height} pixels: at most ${sideAtMost} a side, and 4 million together`,
    );
}

export const cutOff = () => new BadPicture('is damaged: it ends too early');
