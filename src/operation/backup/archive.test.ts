/** What a file may cost that is no backup: whatever it claims to hold, memory stays bounded. */
import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { createZstdCompress, zstdCompressSync } from 'node:zlib';
import { DamagedArchive, dataPart, manifestName, type Part, readArchive, writeArchive } from './archive.ts';
import { openContents } from './contents.ts';

/** A header of tar: type `0` is a file, `x` and `g` announce further headers, `L` a long name. */
function header(type: string, size: number, name = 'x'): Buffer {
  const block = Buffer.alloc(512);
  block.write(name);
  block.write('0000600\0', 100);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** Compressed, of `length` zeros after the beginning. */
async function compressed(beginning: Buffer, length = 0): Promise<Buffer> {
  const zeros = Buffer.alloc(1024 ** 2);
  const compress = createZstdCompress();
  const kept = buffer(compress);
  await pipeline(function* () {
    yield beginning;
    for (let left = length; left > 0; left -= zeros.length) yield zeros.subarray(0, left);
  }, compress);
  return kept;
}

async function partsOf(file: Buffer): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of readArchive(Readable.from([file]))) parts.push(part);
  return parts;
}

const damaged = (message: RegExp) => (error: unknown) =>
  error instanceof DamagedArchive && message.test(error.message);

test('a header of gigabytes is not read, nor zeros without end', async () => {
  const length = 200 * 1024 ** 2;
  for (const type of ['x', 'g', 'L', 'K']) {
    const file = await compressed(header(type, length), length);
    assert.ok(file.length < 40_000, `${file.length}`);
    const before = process.memoryUsage().arrayBuffers;
    await assert.rejects(partsOf(file), damaged(/too much between its parts/), type);
    assert.ok(process.memoryUsage().arrayBuffers - before < 50 * 1024 ** 2, type);
  }
  // Behind parts that were read, which permit no more.
  const parts = Array.from({ length: 100 }, (_, n) => [
    header('0', 1, dataPart('a', n, Buffer.alloc(0)).name),
    Buffer.alloc(512),
  ]);
  const behind = Buffer.concat([...parts.flat(), header('x', length)]);
  await assert.rejects(partsOf(await compressed(behind, 4 * 1024 ** 2)), damaged(/too much between/));
  await assert.rejects(
    partsOf(await compressed(Buffer.alloc(512), 4 * 1024 ** 2)),
    damaged(/too much between/),
  );
});

test('a part that is too long, empty, no file, or strangely named is not read', async () => {
  const cases: readonly (readonly [type: string, size: number, name: string, RegExp])[] = [
    ['0', 65 * 1024 ** 2, 'tables/booking/000001.copy', /too short or too long/],
    ['0', 2 * 1024 ** 2, manifestName, /too short or too long/],
    ['0', 0, 'tables/booking/000001.copy', /too short or too long/],
    ['2', 0, manifestName, /is not a file/],
    ['5', 0, 'folder', /is not a file/],
    ['0', 5, 'a\u001b[31m', /strange name/],
  ];
  for (const [type, size, name, message] of cases)
    await assert.rejects(partsOf(zstdCompressSync(header(type, size, name))), damaged(message), name);
});

test('for the operator it is a file that is no backup', async () => {
  const file = await compressed(header('x', 1e9), 4 * 1024 ** 2);
  const opening = openContents({ stream: Readable.from([file]), name: 'f' });
  await assert.rejects(opening, { message: 'f is not a backup of Pitlane' });
});

test('parts of any lengths come back as they were written', async () => {
  const lengths = [1, 511, 512, 513, 100_000, 9 * 1024 ** 2, ...Array.from({ length: 200 }, (_, n) => n + 1)];
  const parts = lengths.map((length, n) => dataPart('booking', n, Buffer.alloc(length, n)));
  const chunks: Buffer[] = [];
  const to = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  await writeArchive(Readable.from(parts), to);
  const read = await partsOf(Buffer.concat(chunks));
  assert.deepEqual(
    read.map(({ name }) => name),
    parts.map(({ name }) => name),
  );
  for (const [n, { content }] of read.entries())
    assert.ok(content.equals(parts[n]?.content ?? Buffer.alloc(0)));
});
