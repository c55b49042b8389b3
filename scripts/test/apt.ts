/** Installs the programs that tests need beside Node, when possible: Debian's packages, as root. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Run } from './run.ts';

const limitMs = 5 * 60_000;

/** Files by which Debian is told to start no service of a package, and to make no PostgreSQL cluster of its own. */
const reserve = [
  { path: '/usr/sbin/policy-rc.d', text: '#!/bin/sh\nexit 101\n', mode: 0o755 },
  {
    path: '/etc/postgresql-common/createcluster.d/pitlane.conf',
    text: 'create_main_cluster = false\n',
    mode: 0o644,
  },
];

/** They stand while `work` runs; those that the machine has are left as they are. */
async function withReserve<T>(work: () => Promise<T>): Promise<T> {
  const added = reserve.filter(({ path }) => !existsSync(path));
  for (const { path, text, mode } of added) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }
  try {
    return await work();
  } finally {
    for (const { path } of added) rmSync(path, { force: true });
  }
}

/**
 * Resolves to null, or to why it is not installed; takes five minutes at most and never rejects. What is installed already is not upgraded:
 * a server of it may be running, whose next process would load libraries of another version.
 */
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
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update'],
    ['install', '-y', '--no-install-recommends', '--no-upgrade', ...packages],
  ]) {
    const { code, output } = await withReserve(() =>
      run('apt-get', ['-q', ...args], { env, signal: deadline }),
    );
    if (code === 0) continue;
    const reason = deadline.aborted
      ? `not done in ${limitMs / 60_000} minutes`
      : output.trim().split('\n').at(-1);
    return `apt-get ${args[0]} failed: ${reason}`;
  }
  return null;
}
