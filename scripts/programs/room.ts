/** Runs a command in a copy of this machine with Debian's packages, which is gone afterwards (room.sh). */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('room.sh', import.meta.url));
const limitMs = 5 * 60_000;

export interface Room {
  /** A shell command; its folder is that of this file. */
  readonly command: string;
  readonly packages: readonly string[];
  /** What it finds in /out/in, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Left {
  /** The versions of the packages. */
  readonly versions: ReadonlyMap<string, string>;
  /** A file that it has left in /out. Throws when there is none. */
  read(name: string): Buffer;
}

/** Why no room can be had here; null: it can. */
export function whyNoRoom(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux, and root';
  return spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0
    ? null
    : 'needs Debian’s apt-get';
}

/** What `use` makes of what the command has left. Throws an Error with its last lines when it fails. */
export async function inRoom<T>(
  { command, packages, files = {} }: Room,
  use: (left: Left) => T | Promise<T>,
): Promise<T> {
  const out = mkdtempSync(join(tmpdir(), 'pitlane-room-'));
  try {
    mkdirSync(join(out, 'in'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(out, 'in', name), content);
    const ran = spawnSync('unshare', ['--mount', '--uts', '--ipc', 'sh', script, out, command, ...packages], {
      encoding: 'utf8',
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    const said = `${ran.stdout}${ran.stderr}`.trim().split('\n').slice(-5).join('\n');
    if (ran.status !== 0) throw new Error(`ended with ${ran.status ?? ran.signal}: ${said}`);
    const lines = readFileSync(join(out, 'versions'), 'utf8').trim().split('\n');
    const versions = new Map(lines.map((line) => line.split(' ') as [string, string]));
    const read = (name: string) => {
      try {
        return readFileSync(join(out, name));
      } catch {
        throw new Error(`left no ${name}: ${said}`);
      }
    };
    return await use({ versions, read });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
