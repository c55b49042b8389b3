/** The file of a backup: written beside its place and moved there once it is whole, for its owner alone. `-` is standard input or output. */

import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { OperatorError } from '#base/operator-error.ts';
import { giveToFolderOwner } from '#base/private-file.ts';
import { ownValue } from '#base/values/own-value.ts';

/**
 * Has `write` fill a new file of mode 0600. The file appears under its name only once it is complete; with `replace` the earlier
 * file stays until then. A failure or a signal changes nothing. Throws OperatorError when there is such a file already, when it
 * can't be written, or when its file system is full.
 */
export async function writeNewFile<T>(
  path: string,
  write: (to: Writable) => Promise<T>,
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<T> {
  if (!replace && existsSync(path))
    throw new OperatorError(`${path} exists already: choose another name, or remove it first`);
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
  const forget = removeAtExit(partial);
  let to: Writable | undefined;
  try {
    const file = await open(partial, 'wx', 0o600);
    to = file.createWriteStream({ flush: true });
    const written = await write(to);
    giveToFolderOwner(partial);
    await rename(partial, path);
    const folder = await open(dirname(resolve(path)), 'r');
    await folder.sync().finally(() => folder.close());
    return written;
  } catch (error) {
    // Where nothing was written, nothing has closed it.
    to?.destroy();
    await rm(partial, { force: true });
    throw explained(error, path);
  } finally {
    forget();
  }
}

/** Removes the file when the process ends, also by a signal. Returns a function that cancels this. */
function removeAtExit(path: string): () => void {
  const remove = () => rmSync(path, { force: true });
  const onSignal = (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => {
    // Others, that stop an embedded PostgreSQL for instance, end the process when they have.
    if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
  };
  process.on('exit', remove);
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    process.off('exit', remove);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The same to standard output, which stays open. */
export async function toStandardOutput<T>(write: (to: Writable) => Promise<T>): Promise<T> {
  // A reader that ends early is no failure of other commands (main.ts); here the backup is cut off.
  process.exitCode = 1;
  const written = await write(
    new Writable({
      write: (chunk, _, done) => {
        process.stdout.write(chunk, done);
      },
    }),
  );
  process.exitCode = 0;
  return written;
}

/** Throws OperatorError when it can't be read. */
export function openFile(path: string): Readable {
  try {
    if (!statSync(path).isFile()) throw new OperatorError(`${path} is not a file`);
  } catch (error) {
    throw explained(error, path);
  }
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}

function explained(error: unknown, path: string): unknown {
  const { code, syscall } = Object(error);
  if (typeof syscall !== 'string' || typeof code !== 'string') return error;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `${path}: there is no such file or folder`,
    ENOTDIR: `${path}: there is no such folder`,
    EACCES: `${path}: this user may not read or write there`,
    EROFS: `${path}: the file system is read-only`,
    ENOSPC: `the file system of ${path} is full: nothing of the backup is left there`,
    EDQUOT: `the quota of the file system of ${path} is used up: nothing of the backup is left there`,
    EFBIG: `${path} grows larger than its file system, or a limit, permits: nothing of it is left there`,
  };
  const reason = ownValue(reasons, code);
  return reason === undefined ? error : new OperatorError(reason, { cause: error });
}
