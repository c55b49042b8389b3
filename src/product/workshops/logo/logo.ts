/** A workshop's logo: which pictures are accepted, which parts are kept, and their form in a file. */
import { createHash } from 'node:crypto';
import { readJpeg } from './kinds/jpeg.ts';
import { BadPicture, type Picture, type Read } from './kinds/kind.ts';
import { pngSignature, readPng } from './kinds/png.ts';
import { readWebp } from './kinds/webp.ts';

export const logoAtMostBytes = 512 * 1024;
const dataUrlStart = /^data:image\/(?:png|jpeg|webp);base64,/;
/** The length of a data URL of the largest picture, in characters. */
export const dataUrlAtMost = 'data:image/jpeg;base64,'.length + Math.ceil(logoAtMostBytes / 3) * 4;

export type LogoKind = 'png' | 'jpeg' | 'webp';

export interface Logo extends Picture {
  readonly kind: LogoKind;
  /** The digest of the content, which its address contains. */
  readonly digest: string;
}

interface Kind {
  readonly is: (bytes: Buffer) => boolean;
  readonly read: Read;
}

const kinds: Readonly<Record<LogoKind, Kind>> = {
  png: { is: (bytes) => bytes.subarray(0, pngSignature.length).equals(pngSignature), read: readPng },
  jpeg: { is: (bytes) => bytes.readUIntBE(0, 3) === 0xffd8ff, read: readJpeg },
  webp: { is: (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12)), read: readWebp },
};

/**
 * Parses a picture by its bytes, whatever the name of the file, without metadata and data after its end. The result is accepted
 * again unchanged. Throws BadPicture for other files, damaged ones, animations, and sizes out of bounds.
 */
export function readLogo(bytes: Buffer): Logo {
  if (bytes.length > logoAtMostBytes) throw new BadPicture('has more than 512 KB');
  const found = Object.entries(kinds).find(([, { is }]) => bytes.length >= 12 && is(bytes));
  if (found === undefined)
    throw new BadPicture('is no PNG, JPEG or WebP picture (SVG is not taken: save it as PNG)');
  const [kind, { read }] = found as [LogoKind, Kind];
  const picture = read(bytes);
  const digest = createHash('sha256').update(picture.content).digest('base64url').slice(0, 22);
  return { ...picture, kind, digest };
}

/** The same for a data URL. Throws BadPicture. */
export function readDataUrl(text: string): Logo {
  const [start = ''] = dataUrlStart.exec(text) ?? [];
  const base64 = text.slice(start.length);
  if (start === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    throw new BadPicture('is no data URL such as data:image/png;base64,iVBORw0KGgo…');
  return readLogo(Buffer.from(base64, 'base64'));
}

/** The logo as a data URL. */
export const dataUrlOf = ({ kind, content }: Pick<Logo, 'kind' | 'content'>): string =>
  `data:image/${kind};base64,${content.toString('base64')}`;

/** The path below the service's address. */
export const logoPath = ({ kind, digest }: Pick<Logo, 'kind' | 'digest'>): string =>
  `/pages/logos/${digest}.${kind}`;
