/** The file format: a tar of parts, compressed by zstd (docs/decisions/0008-backups.md). One part at a time is in memory. */
import { type Readable, Transform, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { extract, type Pack, pack } from 'tar-stream';

export const manifestName = 'manifest.json';
export const totalsName = 'totals.json';
/** `tables/booking/000001.copy` */
const dataName = /^tables\/([^/]+)\/\d+\.copy$/;

export interface Part {
  readonly name: string;
  readonly content: Buffer;
}

export function dataPart(table: string, number: number, content: Buffer): Part {
  return { name: `tables/${table}/${String(number).padStart(6, '0')}.copy`, content };
}

/** The table of a part; null when the part belongs to no table. */
export function tableOf({ name }: Part): string | null {
  return dataName.exec(name)?.[1] ?? null;
}

/** One row may be this long: a picture of 5 MiB is written in hex digits. */
const dataAtMostBytes = 64 * 1024 ** 2;
/** A manifest with all tables and migrations has about 30 KiB. */
const aboutAtMostBytes = 1024 ** 2;
/** Room between parts: headers, padding, and what the streams have read ahead of the next part. */
const betweenAtMostBytes = 1024 ** 2;
const plainName = /^[\w./-]{1,200}$/;

/** Writes all parts and closes `to`. Rejects with the first failure, of the parts or of `to`. */
export async function writeArchive(parts: AsyncIterable<Part>, to: Writable): Promise<void> {
  const tar = pack();
  const params = { [constants.ZSTD_c_checksumFlag]: 1 };
  const fill = async () => {
    try {
      for await (const part of parts) await add(tar, part);
      tar.finalize();
    } catch (error) {
      tar.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
  await Promise.all([pipeline(tar, createZstdCompress({ params }), to), fill()]);
}

function add(tar: Pack, { name, content }: Part): Promise<void> {
  return new Promise((resolve, reject) => {
    const header = { name, mode: 0o600, size: content.length };
    tar.entry(header, content, (error) => (error ? reject(error) : resolve()));
  });
}

/** The archive can't be read: it is not an archive, or it is damaged or cut off. */
export class DamagedArchive extends Error {}

/** Yields the parts in order, one in memory at a time. Throws DamagedArchive; failures of reading `from` stay as they are. */
export async function* readArchive(from: Readable): AsyncGenerator<Part> {
  const tar = extract();
  const bound = boundHeaders();
  let reading: unknown = null;
  from.once('error', (error) => {
    reading = error;
  });
  // Its failures end the loop below.
  pipeline(from, createZstdDecompress(), bound.stream, tar).catch(() => undefined);
  try {
    for await (const entry of tar) {
      const { name, size = 0, type } = entry.header;
      requirePart(name, size, type);
      bound.expect(size);
      yield { name, content: await buffer(entry) };
    }
  } catch (error) {
    if (reading !== null) throw reading;
    if (error instanceof Error && isFormatError(error))
      throw new DamagedArchive(error.message, { cause: error });
    throw error;
  } finally {
    from.destroy();
  }
}

/** Before anything of it is read. Parts of tables are never empty, so there are no more of them than there is data. */
function requirePart(name: string, size: number, type: string | null | undefined): void {
  if (!plainName.test(name)) throw new DamagedArchive('a part has a strange name');
  const isData = dataName.test(name);
  if (type !== 'file') throw new DamagedArchive(`${name} is not a file`);
  if (!(size >= (isData ? 1 : 0) && size <= (isData ? dataAtMostBytes : aboutAtMostBytes)))
    throw new DamagedArchive(`${name} is too short or too long`);
}

/**
 * Lets through what a part holds, of which `expect` is notified, and a little more. A header of tar may announce another of any length,
 * which the reader would keep in memory until it is whole: 36 KB of zstd can hold gigabytes of it.
 */
function boundHeaders(): { readonly stream: Transform; expect(bytes: number): void } {
  let allowed = betweenAtMostBytes;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      allowed -= chunk.length;
      if (allowed < 0) done(new DamagedArchive('it has too much between its parts'));
      else done(null, chunk);
    },
  });
  return {
    stream,
    expect: (bytes) => {
      allowed = bytes + betweenAtMostBytes;
    },
  };
}

/** Tells whether an error is one of the format, of zstd or of the tar in it. */
function isFormatError(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return /^(?:ZSTD|Z_|ERR_)/.test(code) || /tar header|[Uu]nexpected end|checksum/.test(error.message);
}

/** Takes what is written and keeps nothing. */
export function nowhere(): Writable {
  return new Writable({ write: (_, __, done) => done() });
}
