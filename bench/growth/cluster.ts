/** PostgreSQL of the growth bench: one cluster, with a database for the small installation and one for the large. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Cluster, startCluster } from '#platform/db/embedded/cluster.ts';

const gib = 1024 ** 3;

export interface GrowthCluster {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Of a database, which is made when there is none. */
  url(name: string): Promise<string>;
  /** Stops it; removes its folder unless it is kept. */
  end(): Promise<void>;
}

/** A quarter of the memory for pages, as PostgreSQL's manual begins with; a WAL that is not written out every minute. */
function clusterSettings(): Readonly<Record<string, string>> {
  const buffers = Math.max(1, Math.min(8, Math.floor(totalmem() / gib / 4)));
  return {
    shared_buffers: `${buffers}GB`,
    effective_cache_size: `${2 * buffers}GB`,
    max_wal_size: '8GB',
    checkpoint_timeout: '15min',
    max_connections: '120',
  };
}

/** In `keep`, which stays, or in a temporary folder. */
export async function startGrowthCluster(keep: string | undefined): Promise<GrowthCluster> {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'pitlane-bench-growth-'));
  mkdirSync(folder, { recursive: true });
  // PostgreSQL does not run as root: whom it runs as may enter.
  chmodSync(folder, 0o755);
  const remove = () => {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', remove);
  const settings = clusterSettings();
  const cluster = await startCluster({ dir: join(folder, 'postgres'), settings });
  return {
    cluster,
    folder,
    settings,
    async url(name) {
      const url = new URL(cluster.superuserUrl);
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      url.pathname = `/${name}`;
      return url.href;
    },
    async end() {
      await cluster.stop();
      remove();
    },
  };
}

/** Free bytes where the folder is, or will be. */
export function freeBytes(folder: string | undefined): number {
  const at = folder !== undefined && existsSync(folder) ? folder : tmpdir();
  const { bavail, bsize } = statfsSync(at);
  return bavail * bsize;
}
