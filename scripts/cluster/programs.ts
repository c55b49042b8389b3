/** Where the cluster's programs are: those of Debian's packages. */
import { existsSync } from 'node:fs';

/** Of `apt-get install --no-install-recommends`. */
export const clusterPackages = ['patroni', 'etcd-server', 'haproxy', 'pgbouncer', 'postgresql-15'];

export const clusterPrograms = {
  etcd: '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  postgres: '/usr/lib/postgresql/15/bin/postgres',
} as const;

/** Null when one of them is missing. */
export function findClusterPrograms(): typeof clusterPrograms | null {
  return Object.values(clusterPrograms).every((path) => existsSync(path)) ? clusterPrograms : null;
}

/** Why the cluster's tests are skipped; false when they are not. */
export const noCluster: string | false =
  findClusterPrograms() === null &&
  (process.env['PITLANE_TEST_NO_CLUSTER'] ?? `missing: apt-get install ${clusterPackages.join(' ')}`);
