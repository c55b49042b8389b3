/** A PostgreSQL that outlived the process which started it. */
import { readFileSync, writeFileSync } from 'node:fs';
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

/** What the running PostgreSQL says about itself in its folder; null when there is nothing, or nothing complete. */
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

/** Sends ever harder signals until `isGone`; false when even the last did not help. */
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

/**
 * Stops the PostgreSQL that still runs in `dir`, if there is one. The caller holds the data folder's lock, so nobody uses it.
 * Throws EmbeddedError when it can't be stopped.
 */
export async function stopLeftover(dir: string): Promise<void> {
  const found = readPostmasterFile(dir);
  if (found === null || !isAlive(found.pid)) return;
  if (!isPostgresOf(found.pid, dir)) {
    disown(dir);
    return;
  }
  const failure = new EmbeddedError(
    `a left-over PostgreSQL (process ${found.pid}) uses ${dir} and can't be stopped`,
  );
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(found.pid, signal);
    } catch (error) {
      if (isAlive(found.pid)) throw Object.assign(failure, { cause: error });
    }
  };
  if (!(await stopBy(send, () => !isAlive(found.pid) || !isPostgresOf(found.pid, dir)))) throw failure;
}

/**
 * The id in the file now belongs to a stranger, and PostgreSQL would refuse to start beside it. With its own parent's id
 * there, it takes the file for stale, and still looks for backends that hold the old shared memory. So the file is not removed.
 */
function disown(dir: string): void {
  const [, ...rest] = (read(dir) ?? '').split('\n');
  writeFileSync(join(dir, 'postmaster.pid'), [String(process.pid), ...rest].join('\n'));
}
