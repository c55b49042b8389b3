/**
 * The owner of the data folder. The lock is one of the operating system, on an SQLite file. It ends with the process that holds it, so
 * no lock can be stale, and no process id has to be compared. Beside it, a file tells others who the owner is and, once it runs,
 * how to reach its PostgreSQL.
 */
import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, replacePrivateFile } from '#base/private-file.ts';

/** A server keeps the folder for long; a command keeps it for as long as it runs. */
export type Purpose = 'server' | 'command';

export interface Owner {
  readonly pid: number;
  readonly purpose: Purpose;
  /** Null while PostgreSQL starts or stops. */
  readonly url: string | null;
  readonly stopping: boolean;
}

export interface Ownership {
  /** Tells others how to reach PostgreSQL, or that it is going. Throws the file system's errors. */
  announce(state: { readonly url: string | null; readonly stopping: boolean }): void;
  release(): void;
}

const ownerFile = (dataDir: string) => join(dataDir, 'owner.json');

/** Takes the folder, or returns null when a living process has it. Throws the file system's errors. */
export function tryToTakeOwnership(dataDir: string, purpose: Purpose): Ownership | null {
  const path = join(dataDir, 'owner.lock');
  if (!existsSync(path)) createPrivateFile(path, '');
  // SQLite opens what it can't write as read-only, and would seem to have the lock.
  accessSync(path, constants.R_OK | constants.W_OK);
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    // SQLITE_BUSY
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return null;
    throw error;
  }
  const announce: Ownership['announce'] = (state) => {
    const owner: Owner = { pid: process.pid, purpose, ...state };
    replacePrivateFile(ownerFile(dataDir), JSON.stringify(owner));
  };
  const release = () => {
    rmSync(ownerFile(dataDir), { force: true });
    lock.close();
  };
  try {
    announce({ url: null, stopping: false });
  } catch (error) {
    lock.close();
    throw error;
  }
  return { announce, release };
}

/** Reads the owner's last words about itself; null when there are none. They may be out of date for an instant. */
export function readOwner(dataDir: string): Owner | null {
  try {
    return JSON.parse(readFileSync(ownerFile(dataDir), 'utf8'));
  } catch {
    return null;
  }
}
