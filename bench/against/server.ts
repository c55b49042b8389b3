/** The one PostgreSQL of both builds: Debian's, with `pg_stat_statements` and `pg_waldump`. */
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '#platform/db/database.ts';
import { startCluster } from '#platform/db/embedded/cluster.ts';
import { installPackages } from '../../scripts/test/apt.ts';
import { installedServer } from '../../scripts/test/postgres.ts';
import { run } from '../../scripts/test/run.ts';
import { meteredSettings } from '../counts/meter.ts';

/** Of the API, which owns the database, and of the worker: by their roles their statements are told apart. */
const roles = { api: 'pitlane', worker: 'pitlane_worker' } as const;

export interface Urls {
  readonly superuser: string;
  readonly api: string;
  readonly worker: string;
}

export interface BenchServer {
  readonly name: string;
  readonly dataDir: string;
  readonly waldump: string;
  /** Makes an empty database. */
  create(name: string): Promise<Urls>;
  stop(): Promise<void>;
}

const settings = {
  ...meteredSettings,
  // All of it is read at the end.
  wal_keep_size: '4GB',
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  max_connections: '200',
};

/** Resolves to why there is none, in words; installs it where that is possible. */
export async function provideServer(): Promise<{ binDir: string; name: string } | string> {
  const missing =
    installedServer() === undefined ? await installPackages(run, 'PostgreSQL', ['postgresql-15']) : null;
  if (missing !== null) return missing;
  const found = installedServer();
  if (found?.binDir === undefined) return 'PostgreSQL was installed but is not where Debian puts it';
  const { binDir, name } = found;
  return existsSync(join(binDir, 'pg_waldump')) ? { binDir, name } : `there is no pg_waldump in ${binDir}`;
}

/** Starts it in a folder that exists. */
export async function startBenchServer(
  { binDir, name }: { readonly binDir: string; readonly name: string },
  folder: string,
): Promise<BenchServer> {
  // PostgreSQL does not run as root: whom it runs as may enter.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'postgres');
  const cluster = await startCluster({ dir: dataDir, binDir, settings });
  const password = cluster.superuserPassword;
  const admin = openDatabase({ url: cluster.superuserUrl, poolSize: 1, applicationName: 'bench' });
  const stop = async () => {
    await admin.close();
    await cluster.stop();
  };
  try {
    await admin.query(`CREATE ROLE ${roles.api} LOGIN PASSWORD '${password}'`);
    await admin.query(`CREATE ROLE ${roles.worker} LOGIN PASSWORD '${password}' IN ROLE ${roles.api}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name,
    dataDir,
    waldump: join(binDir, 'pg_waldump'),
    async create(database) {
      await admin.query(`CREATE DATABASE "${database}" OWNER ${roles.api}`);
      const superuser = new URL(cluster.superuserUrl);
      superuser.pathname = database;
      return {
        superuser: superuser.href,
        api: cluster.url(roles.api, password, database),
        worker: cluster.url(roles.worker, password, database),
      };
    },
    stop,
  };
}
