/** The cluster's folder, and the processes that belong to it: each has the folder's path in its command line or its environment. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Ids of the processes that belong to the folder, this one left out. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => readOf(pid, file).includes(folder)));
}

/** Empty for processes that have ended, and for those of others. */
function readOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** Kills whatever still belongs to the folder, and removes it. */
export async function clearFolder(folder: string): Promise<void> {
  // One that was killed may have just started another.
  for (let left = processesOf(folder); left.length > 0; left = processesOf(folder)) {
    for (const pid of left) endAtOnce(pid);
    await pause(50);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
