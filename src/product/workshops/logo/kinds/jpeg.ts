/** JPEG (ITU-T T.81): its segments, and the end of each scan. The scans are not decoded. */
import { requireUpright } from './exif.ts';
import { BadPicture, cutOff, type Picture, requireSize } from './kind.ts';

const damaged = () => new BadPicture('is damaged: its parts are not in order');

const marker = {
  startOfImage: 0xd8,
  endOfImage: 0xd9,
  startOfScan: 0xda,
  jfif: 0xe0,
  exif: 0xe1,
  adobe: 0xee,
} as const;
/** Baseline, extended, progressive: the formats that browsers draw. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
/** The scans of a progressive picture: each may cover all of it, and browsers draw all. */
const scansAtMost = 100;
/** Huffman and quantisation tables, the restart interval. */
const tables = new Set([0xc4, 0xdb, 0xdd]);
/** Application data and comments; those that affect colours are kept. */
const isExtra = (code: number) => (code >= 0xe0 && code <= 0xef) || code === 0xfe;

/** The end of the entropy-coded data that begin at `from`: the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw cutOff();
}

/** The segment, without a thumbnail; null: it is removed. */
function keptExtra(code: number, segment: Buffer): Buffer | null {
  const body = segment.subarray(4);
  if (code === marker.jfif && body.toString('latin1', 0, 5) === 'JFIF\0' && body.length >= 14) {
    const head = Buffer.from(segment.subarray(0, 18));
    head.writeUInt16BE(16, 2);
    head.fill(0, 16, 18);
    return head;
  }
  return code === marker.adobe && body.toString('latin1', 0, 5) === 'Adobe' && body.length === 12
    ? segment
    : null;
}

function sizeOf(segment: Buffer): { readonly width: number; readonly height: number } {
  if (segment.length < 10) throw damaged();
  const [precision, components = 0] = [segment[4], segment[9]];
  const isKnown = precision === 8 && [1, 3, 4].includes(components) && segment.length === 10 + components * 3;
  if (!isKnown) throw new BadPicture('has colours that browsers do not draw: save it in RGB');
  return { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
}

export function readJpeg(bytes: Buffer): Picture {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let size: { readonly width: number; readonly height: number } | null = null;
  let scans = 0;
  for (let at = 2; ; ) {
    if (at + 2 > bytes.length) throw cutOff();
    if (bytes[at] !== 0xff) throw damaged();
    const code = bytes[at + 1] ?? 0;
    // Any number of 0xff may precede a marker.
    if (code === 0xff) {
      at++;
      continue;
    }
    if (code === marker.endOfImage) break;
    if (at + 4 > bytes.length) throw cutOff();
    const length = bytes.readUInt16BE(at + 2);
    const segment = bytes.subarray(at, at + 2 + length);
    if (length < 2) throw damaged();
    if (segment.length < 2 + length) throw cutOff();
    at += 2 + length;
    if (isExtra(code)) {
      if (code === marker.exif && segment.toString('latin1', 4, 10) === 'Exif\0\0')
        requireUpright(segment.subarray(10));
      const extra = keptExtra(code, segment);
      if (extra !== null) kept.push(extra);
    } else if (tables.has(code)) {
      kept.push(segment);
    } else if (frames.has(code)) {
      if (size !== null) throw damaged();
      size = sizeOf(segment);
      requireSize(size.width, size.height);
      kept.push(segment);
    } else if (code === marker.startOfScan) {
      if (size === null || ++scans > scansAtMost) throw damaged();
      const end = endOfScan(bytes, at);
      kept.push(segment, bytes.subarray(at, end));
      at = end;
    } else {
      throw new BadPicture('is a JPEG of a kind that browsers do not draw');
    }
  }
  if (size === null || scans === 0) throw damaged();
  kept.push(Buffer.from([0xff, marker.endOfImage]));
  return { ...size, content: Buffer.concat(kept) };
}
