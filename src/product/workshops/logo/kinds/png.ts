/** PNG (W3C, third edition): its chunks, their checksums, and that no pixels are missing. */
import { crc32, inflateSync } from 'node:zlib';
import { requireUpright } from './exif.ts';
import { BadPicture, cutOff, type Picture, requireSize } from './kind.ts';

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** The parts that are drawn: header, colours, transparency, pixels, end. Texts, profiles and times are removed. */
const kept = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT', 'IDAT', 'IEND']);
const animation = new Set(['acTL', 'fcTL', 'fdAT']);

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  readonly whole: Buffer;
}

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let at = pngSignature.length; ; ) {
    if (at + 12 > bytes.length) throw cutOff();
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw cutOff();
    const typed = bytes.subarray(at + 4, end - 4);
    if (crc32(typed) !== bytes.readUInt32BE(end - 4)) throw new BadPicture('is damaged: a checksum is wrong');
    const type = typed.toString('latin1', 0, 4);
    yield { type, data: typed.subarray(4), whole: bytes.subarray(at, end) };
    if (type === 'IEND') return;
    at = end;
  }
}

/** By colour type: samples for each pixel, and the allowed bit depths. */
const colourTypes: Readonly<Record<number, readonly [samples: number, depths: readonly number[]]>> = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]],
};

/** The passes of an interlaced picture (Adam7): where the pixels of each begin, and how far apart they are. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
  /** Its colours are in PLTE. */
  readonly hasPalette: boolean;
}

function headerOf({ type, data }: Chunk): Header {
  if (type !== 'IHDR' || data.length !== 13)
    throw new BadPicture('is damaged: it does not begin with its size');
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8);
  const [samples, depths] = colourTypes[colour] ?? [0, []];
  if (!depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw new BadPicture('is damaged: its header says what no PNG has');
  return {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    bitsPerPixel: samples * depth,
    isInterlaced: interlace === 1,
    hasPalette: colour === 3,
  };
}

/** The rows of the decompressed data: their number, and their bytes, the first of which names a filter. */
function rowsOf({ width, height, bitsPerPixel, isInterlaced }: Header): { count: number; bytes: number }[] {
  const rows = (columns: number, count: number) => ({
    count: columns === 0 ? 0 : count,
    bytes: 1 + Math.ceil((columns * bitsPerPixel) / 8),
  });
  if (!isInterlaced) return [rows(width, height)];
  return passes.map(([left, top, across, down]) =>
    rows(Math.max(Math.ceil((width - left) / across), 0), Math.max(Math.ceil((height - top) / down), 0)),
  );
}

/** Throws unless the compressed data are exactly the pixels. */
function requirePixels(header: Header, compressed: Buffer): void {
  const rows = rowsOf(header);
  const size = rows.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  const wrong = () => new BadPicture('is damaged: its pixels do not fit its size');
  let found: { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
  try {
    found = inflateSync(compressed, { info: true, maxOutputLength: size }) as unknown as typeof found;
  } catch {
    throw wrong();
  }
  if (found.buffer.length !== size || found.engine.bytesWritten !== compressed.length) throw wrong();
  let at = 0;
  for (const { count, bytes } of rows) {
    for (let row = 0; row < count; row++, at += bytes) {
      if ((found.buffer[at] ?? 0) > 4) throw wrong();
    }
  }
}

export function readPng(bytes: Buffer): Picture {
  const chunks: Chunk[] = [];
  for (const chunk of chunksOf(bytes)) {
    const { type, data } = chunk;
    if (animation.has(type)) throw new BadPicture('holds an animation: save one picture of it');
    if (type === 'eXIf') requireUpright(data);
    if (kept.has(type)) chunks.push(chunk);
    // A capital first letter: the picture can't be drawn without understanding this chunk.
    else if (/^[A-Z]/.test(type)) throw new BadPicture('holds a part that is not known');
  }
  const [first] = chunks;
  if (first === undefined) throw cutOff();
  const header = headerOf(first);
  const { width, height } = header;
  requireSize(width, height);
  const named = (name: string) => chunks.filter(({ type }) => type === name);
  const [pixels, colours] = [named('IDAT'), named('PLTE')];
  const isOnce = [...kept].every((type) => type === 'IDAT' || named(type).length <= 1);
  const begin = chunks.findIndex(({ type }) => type === 'IDAT');
  const isInOrder =
    begin > 0 &&
    chunks.slice(begin, -1).every(({ type }) => type === 'IDAT') &&
    (chunks.at(-1)?.data.length ?? 1) === 0;
  if (!isOnce || !isInOrder || (header.hasPalette && colours.length === 0))
    throw new BadPicture('is damaged: its parts are not in order');
  requirePixels(header, Buffer.concat(pixels.map(({ data }) => data)));
  return { width, height, content: Buffer.concat([pngSignature, ...chunks.map(({ whole }) => whole)]) };
}
