/** Looking at other processes, and waiting. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Asks `check` every `everyMs` until it gives something other than null; null after `forMs`. */
export async function waitFor<T>(check: () => T | null, forMs: number, everyMs = 10): Promise<T | null> {
  const deadline = AbortSignal.timeout(forMs);
  for (;;) {
    const found = check();
    if (found !== null || deadline.aborted) return found;
    await sleep(everyMs);
  }
}

/** True when a process has this id, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** True when the process with this id is the PostgreSQL of the data folder `dir`, not another that was given the id later. */
export function isPostgresOf(pid: number, dir: string): boolean {
  const command = commandLine(pid);
  const isServer = /(?:^|\/)postgres -D /.test(command);
  return isServer && (command.includes(` -D ${dir} `) || workingFolder(pid) === dir);
}

function commandLine(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  }
  return `${spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''} `;
}

function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}
