/** Backups of one kind in a folder: a new one must leave room on the file system, and is complete before the oldest are removed. */
import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { OperatorError } from '#base/operator-error.ts';
import { giveToFolderOwner, makeFolder } from '#base/private-file.ts';
import { writeNewFile } from './file.ts';

export interface Rotation {
  /** Absolute; made when absent. */
  readonly folder: string;
  /** The prefix of these files' names. Other files in the folder are left alone. */
  readonly prefix: string;
  /** How many files stay, including the new one; 1 or more. */
  readonly keep: number;
}

export interface Rotated<T> {
  readonly path: string;
  readonly written: T;
  /** Paths of the removed files. */
  readonly removed: readonly string[];
}

export const suffix = '.backup';
/** A file that is being written changes all the time; one that has not changed for this long was left by a killed process. */
const abandonedAfterMs = 60 * 60_000;

/**
 * Has `write` fill the file `<prefix><name>.backup`, in place of one of that name, then removes all but the newest. `write` calls
 * `requireRoom` as it goes on. Throws OperatorError when it can't be written or takes too much room; then every older file stays.
 */
export async function writeRotated<T>(
  { folder, prefix, keep }: Rotation,
  name: string,
  write: (to: Writable, requireRoom: () => void) => Promise<T>,
): Promise<Rotated<T>> {
  const path = join(folder, `${prefix}${name}${suffix}`);
  prepare(folder);
  const requireRoom = roomGuard(path, () => freeBytes(folder));
  const fill = async (to: Writable) => {
    const result = await write(to, requireRoom);
    // `write` may be far ahead of the disk: what counts is the whole file.
    requireRoom();
    return result;
  };
  const written = await writeNewFile(path, fill, { replace: true });
  return { path, written, removed: removeOld(folder, prefix, keep, path) };
}

/** The folder is its owner's, as the files in it are, also where root makes it. */
function prepare(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) throw new OperatorError(`${folder} is not a folder`);
  try {
    makeFolder(folder);
    if (found === undefined) giveToFolderOwner(folder);
  } catch (error) {
    throw new OperatorError(`the folder ${folder} can't be made: ${Object(error).message}`, { cause: error });
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Throws OperatorError once less than half is free of what was at first, whoever took it: PostgreSQL often writes to the same file
 * system, and stops when that is full.
 */
export function roomGuard(path: string, free: () => number): () => void {
  const atFirst = free();
  return () => {
    if (free() >= atFirst / 2) return;
    throw new OperatorError(
      `${path} takes more than half of the ${Math.round(atFirst / 1e6)} MB that are free on its file system: nothing of it is left there`,
    );
  };
}

function removeOld(folder: string, prefix: string, keep: number, newest: string): string[] {
  const times = new Map<string, number>();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const time = name.startsWith(prefix) ? statSync(path, { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (time !== undefined) times.set(path, time);
  }
  const now = times.get(newest) ?? 0;
  const paths = [...times.keys()];
  for (const path of paths.filter((each) => each.endsWith('.partial')))
    if ((times.get(path) ?? now) < now - abandonedAfterMs) rmSync(path, { force: true });
  const older = paths
    .filter((path) => path.endsWith(suffix) && path !== newest)
    .sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
  const removed = older.slice(keep - 1);
  for (const path of removed) rmSync(path, { force: true });
  return removed;
}
