/** Which pictures are accepted as a logo, and which parts are kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import {
  browserPictures,
  pngChunk,
  pngHeader,
  pngOf,
  pngPalette,
  pngStart,
} from '../../../../test/fixtures/logos.ts';
import { BadPicture } from './kinds/kind.ts';
import { dataUrlAtMost, dataUrlOf, logoAtMostBytes, readDataUrl, readLogo } from './logo.ts';

const kindOf = (name: string) => name.replace(/(?<=^webp).*/, '');
const refused = (bytes: Buffer, why: RegExp) =>
  assert.throws(
    () => readLogo(bytes),
    (error) => error instanceof BadPicture && why.test(error.message),
    String(why),
  );

test('PNG, JPEG and WebP as browsers write them are accepted, and the kept part is accepted again unchanged', () => {
  for (const [name, bytes] of Object.entries(browserPictures)) {
    const logo = readLogo(bytes);
    assert.deepEqual([logo.kind, logo.width, logo.height], [kindOf(name), 40, 24], name);
    const again = readDataUrl(dataUrlOf(logo));
    assert.ok(again.content.equals(logo.content), name);
    assert.equal(again.digest, logo.digest);
    assert.ok(logo.content.length <= bytes.length);
  }
});

test('metadata and data after the end are removed', () => {
  const hidden = Buffer.from('<script>alert(1)</script>');
  const plain = readLogo(pngOf(40, 24)).content;
  const extras = [pngChunk('tEXt', hidden), pngChunk('eXIf', hidden), pngChunk('iCCP', hidden)];
  assert.ok(readLogo(pngOf(40, 24, ...extras)).content.equals(plain));
  const { jpeg, webp } = browserPictures;
  const app1 = Buffer.concat([Buffer.from([0xff, 0xe1, 0, hidden.length + 2]), hidden]);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, hidden.length + 2]), hidden]);
  const withMetadata = Buffer.concat([jpeg.subarray(0, 2), app1, comment, jpeg.subarray(2)]);
  assert.ok(readLogo(withMetadata).content.equals(readLogo(jpeg).content));
  for (const bytes of [pngOf(40, 24), jpeg, webp]) {
    assert.ok(readLogo(Buffer.concat([bytes, hidden])).content.equals(readLogo(bytes).content));
  }
  assert.equal(readLogo(webp).content.includes('ICCP'), false);
});

test('a picture that its metadata rotate is refused, since it would be shown rotated without them', () => {
  const { jpeg, webp } = browserPictures;
  const exif = (value: number, isLittle: boolean) => {
    const tiff = Buffer.alloc(26);
    tiff.write(isLittle ? 'II*\0' : 'MM\0*', 'latin1');
    const put = (at: number, bytes: number, given: number) =>
      isLittle ? tiff.writeUIntLE(given, at, bytes) : tiff.writeUIntBE(given, at, bytes);
    put(4, 4, 8);
    put(8, 2, 1);
    put(10, 2, 0x0112);
    put(12, 2, 3);
    put(14, 4, 1);
    put(18, 2, value);
    return tiff;
  };
  const named = (tiff: Buffer) => Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const inJpeg = (tiff: Buffer) => {
    const head = Buffer.from([0xff, 0xe1, 0, tiff.length + 8]);
    return Buffer.concat([jpeg.subarray(0, 2), head, named(tiff), jpeg.subarray(2)]);
  };
  const inWebp = (content: Buffer) => {
    const chunk = Buffer.concat([Buffer.from('EXIF\0\0\0\0', 'latin1'), content]);
    chunk.writeUInt32LE(content.length, 4);
    const whole = Buffer.concat([webp, chunk]);
    whole.writeUInt32LE(whole.length - 8, 4);
    return whole;
  };
  const kept = [pngOf(40, 24), jpeg, webp].map((bytes) => readLogo(bytes).content);
  for (const isLittle of [true, false]) {
    for (const value of [3, 6, 8]) {
      const turned = exif(value, isLittle);
      refused(pngOf(40, 24, pngChunk('eXIf', turned)), /save it upright/);
      refused(inJpeg(turned), /save it upright/);
      refused(inWebp(turned), /save it upright/);
      refused(inWebp(named(turned)), /save it upright/);
    }
    const upright = exif(1, isLittle);
    const taken = [pngOf(40, 24, pngChunk('eXIf', upright)), inJpeg(upright), inWebp(upright)];
    assert.deepEqual(
      taken.map((bytes) => readLogo(bytes).content),
      kept,
    );
  }
  // A directory that is missing, or ends too early, has no rotation.
  for (let length = 4; length < 20; length++) readLogo(inJpeg(exif(6, true).subarray(0, length)));
});

test('any other file is refused, with the reason', () => {
  const { png, jpeg, webp } = browserPictures;
  refused(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /SVG is not taken/);
  refused(Buffer.from('GIF89a\x01\x00\x01\x00          '), /no PNG, JPEG or WebP/);
  refused(Buffer.alloc(0), /no PNG/);
  refused(Buffer.alloc(logoAtMostBytes + 1), /more than 512 KB/);
  for (const bytes of [png, jpeg, webp]) refused(bytes.subarray(0, bytes.length - 20), /ends too early/);
  refused(Buffer.concat([jpeg.subarray(0, 3), Buffer.from('<script>alert(1)</script>')]), /damaged|ends/);

  refused(pngOf(40, 24, pngChunk('acTL', Buffer.alloc(8))), /animation/);
  refused(pngOf(40, 24, pngChunk('ABCD')), /not known/);
  refused(pngOf(40, 24, pngPalette), /not in order/);
  refused(pngOf(8, 24), /8 × 24 pixels: each side must have at least 16/);
  refused(pngOf(4_097, 16), /at most 4096 a side/);
  refused(pngOf(2_001, 2_000), /4 million/);
  const flipped = Buffer.from(png);
  flipped[40] = (flipped[40] ?? 0) ^ 1;
  refused(flipped, /checksum/);
  const pixels = (data: Buffer) =>
    Buffer.concat([pngStart, pngHeader(40, 24), pngPalette, pngChunk('IDAT', data), pngChunk('IEND')]);
  // Too few pixels, a decompression bomb, data after the compressed pixels, an unknown filter.
  const rows = Buffer.alloc(24 * 6);
  refused(pixels(deflateSync(rows.subarray(1))), /pixels do not fit/);
  refused(pixels(deflateSync(Buffer.alloc(50_000_000))), /pixels do not fit/);
  refused(pixels(Buffer.concat([deflateSync(rows), Buffer.from('<script>')])), /pixels do not fit/);
  refused(pixels(deflateSync(Buffer.alloc(24 * 6, 9))), /pixels do not fit/);
  assert.equal(readLogo(pixels(deflateSync(rows))).width, 40);

  const animated = Buffer.from(webp);
  animated[20] = (animated[20] ?? 0) | 2;
  refused(animated, /animation/);
  const lossless = Buffer.from(jpeg);
  lossless[jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 1] = 0xc3;
  refused(lossless, /kind that browsers do not draw/);
});

test('interlaced pictures have the pixels of seven passes', () => {
  const header = Buffer.from(pngHeader(40, 24).subarray(8, 21));
  header[12] = 1;
  const passes = [
    [5, 3],
    [5, 3],
    [10, 3],
    [10, 6],
    [20, 6],
    [20, 12],
    [40, 12],
  ] as const;
  const size = passes.reduce((sum, [columns, count]) => sum + count * (1 + Math.ceil(columns / 8)), 0);
  const of = (bytes: number) =>
    Buffer.concat([
      ...[pngStart, pngChunk('IHDR', header), pngPalette],
      ...[pngChunk('IDAT', deflateSync(Buffer.alloc(bytes))), pngChunk('IEND')],
    ]);
  assert.equal(readLogo(of(size)).width, 40);
  refused(of(size + 1), /pixels do not fit/);
});

test('a data URL names its kind, and is at most as long as the largest picture', () => {
  assert.throws(() => readDataUrl('data:image/svg+xml;base64,PHN2Zz4='), /no data URL/);
  assert.throws(() => readDataUrl('iVBORw0KGgo='), /no data URL/);
  assert.throws(() => readDataUrl('data:image/png;base64,iVBOR w0='), /no data URL/);
  const base64 = Buffer.alloc(logoAtMostBytes).toString('base64');
  assert.ok(`data:image/jpeg;base64,${base64}`.length <= dataUrlAtMost);
  // The bytes decide the kind, not the URL.
  assert.equal(readDataUrl(`data:image/png;base64,${browserPictures.jpeg.toString('base64')}`).kind, 'jpeg');
});

test('modified and truncated pictures are refused, or accepted as they are: never another kind of error', () => {
  const pictures = Object.values(browserPictures);
  fc.assert(
    fc.property(
      fc.constantFrom(...pictures),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
      fc.option(fc.nat(), { freq: 2 }),
      (picture, changes, cut) => {
        const bytes = Buffer.from(cut === null ? picture : picture.subarray(0, cut % picture.length));
        for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
        try {
          const { content, kind } = readLogo(bytes);
          const again = readLogo(content);
          assert.ok(again.content.equals(content));
          assert.equal(again.kind, kind);
        } catch (error) {
          assert.ok(error instanceof BadPicture, String(error));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
