/** CPU time of processes, in milliseconds, of user and system together. Of others than this one Linux alone tells. */
import { readFileSync } from 'node:fs';

/** Linux shows times to programs in these, whatever its kernel counts in. */
const msPerTick = 10;
/** Counted from behind the program's name, which may hold anything. */
const fields = { utime: 11, stime: 12, cutime: 13, cstime: 14 };

/** Of this process, and of those of its children that have ended. */
export function cpuSoFar(): number {
  const { user, system } = process.cpuUsage();
  const { cutime, cstime } = timesOf('self') ?? { cutime: 0, cstime: 0 };
  return (user + system) / 1000 + cutime + cstime;
}

/** Of a running process, of its running children and of those that have ended; null where that can't be found out. */
export function cpuOf(pid: number): number | null {
  const times = timesOf(pid);
  if (times === null) return null;
  const children = read(`/proc/${pid}/task/${pid}/children`)?.split(' ') ?? [];
  const running = children.filter(Boolean).map((child) => cpuOf(Number(child)) ?? 0);
  return [...Object.values(times), ...running].reduce((sum, ms) => sum + ms, 0);
}

function timesOf(pid: number | 'self'): Record<keyof typeof fields, number> | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ms = (field: number) => Number(values[field]) * msPerTick;
  return {
    ...{ utime: ms(fields.utime), stime: ms(fields.stime) },
    ...{ cutime: ms(fields.cutime), cstime: ms(fields.cstime) },
  };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
