/** Debian's faketime: a process, and what it starts, sees another time of day. Monotonic time, and so time-outs, stay. */
import { globSync, rmSync } from 'node:fs';
import { isAlive } from '#platform/db/embedded/processes.ts';
import { installPackages } from '../apt.ts';
import type { Run } from '../run.ts';

const places = ['/usr/lib/*/faketime/libfaketime.so.1', '/usr/lib64/faketime/libfaketime.so.1'];

/** The path of its library; null where it is not installed. */
export function findFaketime(): string | null {
  return globSync(places)[0] ?? null;
}

/** Finds or installs it; resolves to the path of its library, or to why there is none. Never rejects. */
export async function provideFaketime(
  run: Run,
): Promise<{ readonly library: string } | { readonly missing: string }> {
  const missing = findFaketime() === null ? await installPackages(run, 'faketime', ['faketime']) : null;
  if (missing !== null) return { missing };
  const library = findFaketime();
  return library === null
    ? { missing: 'faketime was installed but is not where Debian puts it' }
    : { library };
}

/**
 * What faketime keeps in memory for each process, by its id, of processes that are gone: those that were killed did not remove it, and a
 * later process of the same id would not start.
 */
export function removeLeftovers(): void {
  for (const path of globSync('/dev/shm/{sem.,}faketime_{sem,shm}_*'))
    if (!isAlive(Number(path.split('_').at(-1)))) rmSync(path, { force: true });
}

/** Variables of a process that sees the time this number of milliseconds from ours. A distance, so that all processes see the same. */
export function otherTime(library: string, fromNowMs: number): Record<string, string> {
  const seconds = Math.round(fromNowMs / 1000);
  return {
    LD_PRELOAD: library,
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    DONT_FAKE_MONOTONIC: '1',
    // By its newer name.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
