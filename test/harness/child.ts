/** The environment of a child process: nothing of the caller's but the path, and where compiled sources are kept; no `.env`. */
import { fileURLToPath } from 'node:url';

/** Compiling the sources anew would be half of what a short-lived process costs. */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/pitlane', import.meta.url));

export function childEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: compileCache,
    PITLANE_ENV_FILE: '/dev/null',
    ...settings,
  };
}
