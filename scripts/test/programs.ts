/** Debian's servers that tests run by themselves: found, or installed when possible. */

import { findExim } from '../../test/harness/exim-program.ts';
import { findKannel } from '../../test/harness/kannel-programs.ts';
import { findPgBouncer } from '../../test/harness/pgbouncer-program.ts';
import { findProxy } from '../../test/harness/proxy-programs.ts';
import { clusterPackages, findClusterPrograms } from '../cluster/programs.ts';
import { installPackages } from './apt.ts';
import type { Run } from './run.ts';

export interface Program {
  readonly name: string;
  /** Of the harness that runs it: the files that import it need the program. */
  readonly harness: string;
  /** The variable that tells the tests why it is missing. */
  readonly variable: string;
  readonly packages: readonly string[];
  /** Null when it is not there. */
  find(): unknown;
}

export const kannel: Program = {
  name: 'Kannel',
  harness: 'harness/kannel.ts',
  variable: 'PITLANE_TEST_NO_KANNEL',
  packages: ['kannel', 'kannel-extras'],
  find: findKannel,
};

export const programs: readonly Program[] = [
  kannel,
  {
    name: 'Exim',
    harness: 'harness/exim.ts',
    variable: 'PITLANE_TEST_NO_EXIM',
    packages: ['exim4-daemon-light'],
    find: findExim,
  },
  {
    name: 'PgBouncer',
    harness: 'harness/pgbouncer.ts',
    variable: 'PITLANE_TEST_NO_PGBOUNCER',
    packages: ['pgbouncer'],
    find: findPgBouncer,
  },
  {
    name: 'nginx',
    harness: 'harness/reverse-proxy.ts',
    variable: 'PITLANE_TEST_NO_NGINX',
    packages: ['nginx-light'],
    find: () => findProxy('nginx'),
  },
  {
    name: 'Caddy',
    harness: 'harness/reverse-proxy.ts',
    variable: 'PITLANE_TEST_NO_CADDY',
    packages: ['caddy'],
    find: () => findProxy('caddy'),
  },
  {
    name: 'a cluster of PostgreSQL',
    harness: 'cluster/programs.ts',
    variable: 'PITLANE_TEST_NO_CLUSTER',
    packages: clusterPackages,
    find: findClusterPrograms,
  },
];

/** Resolves to null when it is there, else to why it is not; never rejects. */
export async function provideProgram(run: Run, program: Program): Promise<string | null> {
  const { name, packages, find } = program;
  if (find() !== null) return null;
  const missing = await installPackages(run, name, packages);
  if (missing !== null) return missing;
  return find() === null ? `${name} was installed but is not where Debian puts it` : null;
}
