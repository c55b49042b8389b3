/** The logo of a demo workshop, drawn here: a wheel on its colour, as a PNG of 128 × 128 pixels. */
import { crc32, deflateSync } from 'node:zlib';

const side = 128;
/** Samples per pixel in each direction, whose mean smooths the edges. */
const samples = 2;

/** `colour` is `#rrggbb`. Returns the PNG file. */
export function demoLogo(colour: string): Buffer {
  const ground = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const rows = Buffer.alloc(side * (1 + side * 4));
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const { inside, white } = shareOf(x, y);
      const at = y * (1 + side * 4) + 1 + x * 4;
      const share = inside === 0 ? 0 : white / inside;
      ground.forEach((value, n) => {
        rows[at + n] = Math.round(value + (255 - value) * share);
      });
      rows[at + 3] = Math.round(inside * 255);
    }
  }
  const header = Buffer.from([0, 0, 0, side, 0, 0, 0, side, 8, 6, 0, 0, 0]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const pixels = deflateSync(rows, { level: 9 });
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.of())]);
}

/** The share of a pixel on the tile, and the share that is white, 0 to 1. */
function shareOf(x: number, y: number): { inside: number; white: number } {
  let [inside, white] = [0, 0];
  for (let n = 0; n < samples ** 2; n++) {
    const at = [x + ((n % samples) + 0.5) / samples, y + (Math.floor(n / samples) + 0.5) / samples] as const;
    const [u, v] = at.map((value) => (value * 2) / side - 1) as [number, number];
    if (!isOnTile(u, v)) continue;
    inside++;
    if (isOnWheel(u, v)) white++;
  }
  return { inside: inside / samples ** 2, white: white / samples ** 2 };
}

/** A square with round corners; `u` and `v` run from -1 to 1. */
function isOnTile(u: number, v: number): boolean {
  const radius = 0.42;
  const corner = (value: number) => Math.max(Math.abs(value) - (1 - radius), 0);
  return Math.hypot(corner(u), corner(v)) <= radius;
}

/** A tyre, five spokes and a hub. */
function isOnWheel(u: number, v: number): boolean {
  const distance = Math.hypot(u, v);
  if (distance <= 0.13 || (distance >= 0.52 && distance <= 0.72)) return true;
  if (distance > 0.6) return false;
  const fifth = (2 * Math.PI) / 5;
  const angle = Math.atan2(u, -v);
  const off = angle - Math.round(angle / fifth) * fifth;
  return Math.abs(Math.sin(off)) * distance <= 0.075;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
