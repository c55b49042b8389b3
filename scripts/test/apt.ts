/** Installs the programs that tests need beside Node, when possible: Debian's packages, as root. */
import { spawnSync } from 'node:child_process';
import type { Run } from './run.ts';

const limitMs = 5 * 60_000;

/** Resolves to null, or to why it is not installed; takes five minutes at most and never rejects. */
export async function installPackages(
  run: Run,
  what: string,
  packages: readonly string[],
): Promise<string | null> {
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) {
    return `there is no ${what}, and no apt-get to install it with`;
  }
  if (process.getuid?.() !== 0) {
    return `there is no ${what}, and only root can install it: apt-get install ${packages.join(' ')}`;
  }
  const deadline = AbortSignal.timeout(limitMs);
  // In run level 1 Debian starts no daemon of a package.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { code, output } = await run('apt-get', ['-q', ...args], { env, signal: deadline });
    if (code === 0) continue;
    const reason = deadline.aborted
      ? `not done in ${limitMs / 60_000} minutes`
      : output.trim().split('\n').at(-1);
    return `apt-get ${args[0]} failed: ${reason}`;
  }
  return null;
}
