/** A PostgreSQL that outlived the process which started it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedError } from './errors.ts';
import { isAlive, isPostgresOf, waitFor } from './processes.ts';

export interface PostmasterFile {
  readonly pid: number;
  /** True once it accepts connections. */
  readonly ready: boolean;
  /** True once it was asked to end. */
  readonly stopping: boolean;
}

function read(dir: string): string | null {
  try {
    return readFileSync(join(dir, 'postmaster.pid'), 'utf8');
  } catch {
    return null;
  }
}

/** Reads the file in which the running PostgreSQL describes itself; null when it is absent or incomplete. */
export function readPostmasterFile(dir: string): PostmasterFile | null {
  const lines = read(dir)?.split('\n') ?? [];
  const pid = Number(lines[0]);
  const state = lines[7]?.trim();
  return pid > 0 ? { pid, ready: state === 'ready', stopping: state === 'stopping' } : null;
}

/** How long each signal is given: an orderly end, an end without a checkpoint, the last resort. */
const steps = [
  ['SIGINT', 15_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

/** Sends stronger and stronger signals until `isGone`; false when even the last did not help. */
export async function stopBy(
  send: (signal: NodeJS.Signals) => void,
  isGone: () => boolean,
): Promise<boolean> {
  for (const [signal, forMs] of steps) {
    if (isGone()) return true;
    send(signal);
    if (await waitFor(() => (isGone() ? true : null), forMs)) return true;
  }
  return false;
}

/** PostgreSQL makes the file and fills it at once, so a file without an id after this time was left by a crash. */
const namelessForMs = 1_000;

/**
 * Stops the PostgreSQL that still runs in `dir`, if there is one, and removes the files by which the next one could be mistaken
 * for it. The caller holds the data folder's lock, so nobody uses it. Throws EmbeddedError when it can't be stopped.
 */
export async function stopLeftover(dir: string): Promise<void> {
  const isNamed = () => (existsSync(join(dir, 'postmaster.pid')) ? readPostmasterFile(dir) : { pid: 0 });
  const found = await waitFor(isNamed, namelessForMs);
  if (found !== null && found.pid > 0) await stopAlive(found.pid, dir);
  disown(dir);
}

async function stopAlive(pid: number, dir: string): Promise<void> {
  const isGone = () => !isAlive(pid) || !isPostgresOf(pid, dir);
  const failure = new EmbeddedError(
    `a left-over PostgreSQL (process ${pid}) uses ${dir} and can't be stopped`,
  );
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (isAlive(pid)) throw Object.assign(failure, { cause: error });
    }
  };
  if (!(await stopBy(send, isGone))) throw failure;
}

/** Lines of the file: the id, folder, start, port, socket, address, shared memory; then the state. */
const linesBeforeState = 7;

/**
 * Files that a dead PostgreSQL left say nothing of the next one. Its id may be anybody's by now, the next PostgreSQL's too: containers give
 * the same ones out again. So its state goes, or the next would seem ready before it has begun; and its id becomes ours: PostgreSQL
 * takes a file with its own parent's id for stale, and still looks for backends that hold the old shared memory, which is why the
 * file is kept. One without an id PostgreSQL refuses, and there is nothing in it to look for.
 */
function disown(dir: string): void {
  const path = join(dir, 'postmaster.pid');
  const text = read(dir);
  if (text === null) return;
  if (readPostmasterFile(dir) === null) {
    rmSync(path, { force: true });
    return;
  }
  const [, ...rest] = text.split('\n').slice(0, linesBeforeState);
  writeFileSync(path, `${[String(process.pid), ...rest].join('\n').trimEnd()}\n`);
}
