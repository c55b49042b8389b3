/** WebP (RFC 9649): its chunks, and the size in its image data. The picture is not decoded. */
import { requireUpright } from './exif.ts';
import { BadPicture, cutOff, type Picture, requireSize } from './kind.ts';

const damaged = () => new BadPicture('is damaged: its parts are not in order');

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) throw cutOff();
  for (let at = 12; at < end; ) {
    if (at + 8 > end) throw cutOff();
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (at + 8 + length > end) throw cutOff();
    yield { type: bytes.toString('latin1', at, at + 4), data };
    at += 8 + length + (length % 2);
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** From a lossy picture: the header of a key frame (RFC 6386, 9.1). */
function lossySize(data: Buffer): Size {
  const isKeyFrame = data.length >= 10 && ((data[0] ?? 1) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a;
  if (!isKeyFrame) throw damaged();
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** From a lossless picture: after the signature, 14 bits of each side minus one; then whether it has alpha, and the version 0. */
function losslessSize(data: Buffer): Size {
  if (data.length < 5 || data[0] !== 0x2f || (data[4] ?? 0xff) >> 5 !== 0) throw damaged();
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** The flags of the extended header: alpha is kept, the others name parts that are removed. */
const alphaFlag = 0x10;
const animationFlag = 0x02;

function extendedSize(data: Buffer): Size {
  if (data.length !== 10) throw damaged();
  return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

/** Some programs prefix it with the name that it has in a JPEG. */
const withoutName = (exif: Buffer) =>
  exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;

export function readWebp(bytes: Buffer): Picture {
  const chunks = [...chunksOf(bytes)];
  const all = (name: string) => chunks.filter(({ type }) => type === name).map(({ data }) => data);
  const [extended] = all('VP8X');
  const isAnimated = extended !== undefined && ((extended[0] ?? 0) & animationFlag) !== 0;
  if (isAnimated || all('ANIM').length > 0 || all('ANMF').length > 0)
    throw new BadPicture('holds an animation: save one picture of it');
  const [lossy, lossless, alpha] = [all('VP8 '), all('VP8L'), all('ALPH')];
  const [picture] = [...lossy, ...lossless];
  const isOne = lossy.length + lossless.length === 1 && all('VP8X').length <= 1 && alpha.length <= 1;
  if (picture === undefined || !isOne || (alpha.length > 0 && (!extended || lossless.length > 0)))
    throw damaged();
  for (const exif of all('EXIF')) requireUpright(withoutName(exif));
  const size = lossy.length > 0 ? lossySize(picture) : losslessSize(picture);
  requireSize(size.width, size.height);
  const parts: Buffer[] = [];
  if (extended !== undefined) {
    const canvas = extendedSize(extended);
    if (canvas.width !== size.width || canvas.height !== size.height) throw damaged();
    const head = Buffer.from(extended);
    head.fill(0, 0, 4);
    head[0] = (extended[0] ?? 0) & alphaFlag;
    parts.push(chunk('VP8X', head));
  }
  parts.push(...alpha.map((data) => chunk('ALPH', data)));
  parts.push(chunk(lossy.length > 0 ? 'VP8 ' : 'VP8L', picture));
  const body = Buffer.concat(parts);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + body.length, 4);
  return { ...size, content: Buffer.concat([head, body]) };
}
