/** Child processes: their environment has nothing of the caller's but the paths, and where compiled sources are kept; no `.env`. */
import { fileURLToPath } from 'node:url';

/** Compiling the sources again would be half of what a short-lived process costs. */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/pitlane', import.meta.url));

/** For a Node that lives for seconds: with the usual threads and 1 MiB to begin with, collecting garbage is a tenth of its start. */
export const shortLived: readonly string[] = [
  '--single-threaded-gc',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
];

export function childEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const libraryPath = process.env['LD_LIBRARY_PATH'];
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: compileCache,
    // What this Node itself may need of it, on a bare system (bin/libraries.mjs).
    ...(libraryPath !== undefined && { LD_LIBRARY_PATH: libraryPath }),
    PITLANE_ENV_FILE: '/dev/null',
    // It costs a second of CPU: src/warm-up/ tests it.
    PITLANE_WARM_UP: 'off',
    ...settings,
  };
}
