/** Folders, and files that only their owner may read, written whole or not at all. */
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Gives a file that root made to the owner of its folder, who could not start the next time otherwise. */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}

function writeBeside(path: string, content: string): string {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  giveToFolderOwner(temporary);
  return temporary;
}

/** Makes the file (mode 0600) when there is none; a file that is there stays as it is. Of two makers at once, one wins. */
export function createPrivateFile(path: string, content: string): void {
  const temporary = writeBeside(path, content);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporary);
  }
}

/** Makes the file (mode 0600), or replaces it in one step. */
export function replacePrivateFile(path: string, content: string): void {
  renameSync(writeBeside(path, content), path);
}

/** Makes a folder and those above it. One by one: Node's own recursion never returns below `/proc`. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
