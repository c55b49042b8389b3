/** Making a cluster: beside its place, then moved there in one step, so that a half-made one never counts. */

import { type StdioOptions, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, fullDisk, saysFullDisk } from './errors.ts';
import { waitFor } from './processes.ts';
import { startProgram } from './program.ts';
import { firstError } from './program-error.ts';

/** Kept in the cluster's folder, so that it is copied and moved with the cluster. */
export const passwordFile = 'superuser-password';
export const superuser = 'postgres';

export interface NewCluster {
  readonly dir: string;
  readonly binaries: Binaries;
  readonly account: Account;
  /** False for a throw-away cluster: its files need not reach the disk. */
  readonly durable: boolean;
}

/**
 * True when the folder holds a cluster. initdb writes this file early, but the folder gets its name only after initdb has
 * succeeded.
 */
export function isCluster(dir: string): boolean {
  return existsSync(join(dir, 'PG_VERSION'));
}

/** Makes the cluster with a random superuser password. Throws EmbeddedError with initdb's first complaint. */
export async function createCluster(options: NewCluster): Promise<void> {
  const { dir, account } = options;
  if (existsSync(dir) && readdirSync(dir).length > 0) {
    throw new EmbeddedError(
      `${dir} is neither empty nor PostgreSQL's data: move it away, or choose another PITLANE_DATA_DIR`,
    );
  }
  const prefix = `${basename(dir)}.new-`;
  for (const name of readdirSync(dirname(dir))) {
    if (name.startsWith(prefix)) await removeFolder(join(dirname(dir), name));
  }
  const staging = join(dirname(dir), `${prefix}${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(staging, { mode: 0o700 });
    const password = join(staging, passwordFile);
    writeFileSync(password, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
    const { uid, gid } = account.ids;
    if (uid !== undefined && gid !== undefined)
      for (const path of [staging, password]) chownSync(path, uid, gid);
    const data = join(staging, 'data');
    await runInitdb(options, data, password);
    renameSync(password, join(data, passwordFile));
    renameSync(data, dir);
    if (options.durable) syncFolder(dirname(dir));
  } finally {
    await removeFolder(staging);
  }
}

/** Again and again: initdb's children may still be ending, and a file that they remove first stops Node's removal half way. */
async function removeFolder(path: string): Promise<void> {
  const gone = await waitFor(() => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error;
    }
    return existsSync(path) ? null : true;
  }, 10_000);
  if (!gone) throw new EmbeddedError(`${path} can't be removed: something still writes in it`);
}

async function runInitdb(options: NewCluster, data: string, password: string): Promise<void> {
  const { binaries, account, durable } = options;
  const args = ['-D', data, `--username=${superuser}`, `--pwfile=${password}`, '--auth=scram-sha-256'];
  args.push('--encoding=UTF8', ...versionOptions(binaries), '--no-instructions');
  if (!durable) args.push('--no-sync');
  const stdio: StdioOptions = ['ignore', 'ignore', 'pipe'];
  const child = startProgram({ name: 'initdb', args, binaries, account, deathSignal: 'KILL', stdio });
  const said = child.stderr === null ? Promise.resolve('') : text(child.stderr);
  const code = await new Promise<unknown>((resolve) => child.once('error', resolve).once('close', resolve));
  if (code === 0) return;
  const output = await said;
  if (saysFullDisk(output)) throw fullDisk(dirname(options.dir));
  const reason = code instanceof Error ? code.message : firstError(output);
  throw new EmbeddedError(`PostgreSQL's data folder ${options.dir} can't be made: ${reason}`);
}

/**
 * For `postgresql.conf`, where an operator may change them. PostgreSQL's own 128 MB of buffers take memory that the operating system's cache makes better use of;
 * without processes that read ahead (of version 18) or subscribe to another server, six MiB less are taken.
 */
const settings = { shared_buffers: '48MB', max_logical_replication_workers: '0' };
const settingsOf18 = { ...settings, io_method: 'sync' };

/** `-c` is known since version 16. The built-in provider is of version 17; before it, the C library's locale of the same name sorts the same way. */
function versionOptions(binaries: Binaries): string[] {
  const major = binaries.major ?? majorOf(binaries);
  const set = Object.entries(major < 18 ? settings : settingsOf18).map(
    ([name, value]) => `-c${name}=${value}`,
  );
  if (major < 16) return ['--locale=C.UTF-8'];
  if (major < 17) return ['--locale=C.UTF-8', ...set];
  return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', ...set];
}

function majorOf({ binDir, env }: Binaries): number {
  const { stdout } = spawnSync(join(binDir, 'initdb'), ['--version'], { encoding: 'utf8', env });
  return Number(/\d+/.exec(stdout ?? '')?.[0]);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
