/** Two PostgreSQL of a test file, of which one is a streaming replica of the other. */
import { execFileSync } from 'node:child_process';
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { type Cluster, startCluster } from '#platform/db/embedded/cluster.ts';
import { lookAtPrimary, lookAtReplica } from '#platform/db/replica/store.ts';
import { atEnd } from './clean-up.ts';
import { createClone, startTestCluster } from './cluster.ts';
import type { TestDatabase } from './database.ts';
import { until } from './wait.ts';

export interface Replicated {
  /** A migrated database of the primary. */
  readonly database: TestDatabase;
  /** The same database on the replica. */
  readonly replicaUrl: string;
  /** The superuser there. */
  readonly replicaAdmin: Database;
  /** Stops replaying; what the primary sends meanwhile is kept. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the replica has all that the primary has. */
  untilEqual(): Promise<void>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
}

/** Of both: the replica needs room for as many connections as the primary. */
const settings = {
  ...{ wal_level: 'replica', max_wal_senders: '4', max_connections: '40', shared_buffers: '16MB' },
  // What is committed is sent at once.
  synchronous_commit: 'on',
};

/** Stopped at the file's end. */
export async function startReplicated(): Promise<Replicated> {
  const primary = await startTestCluster(undefined, settings);
  atEnd(() => primary.stop());
  const url = await createClone(primary.adminUrl);
  const db = openDatabase({ url, poolSize: 10, applicationName: 'test' });
  atEnd(() => db.close());
  const dir = join(dirname(primary.dir), 'replica');
  await copyRunning(primary.adminUrl, primary.dir, dir);
  const conninfo = conninfoOf(primary.adminUrl);
  let running: Cluster | undefined;
  const start = async () => {
    const own = { fsync: 'off', hot_standby: 'on', max_standby_streaming_delay: '0' };
    running = await startCluster({ dir, settings: { ...settings, ...own, primary_conninfo: conninfo } });
  };
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  await start();
  atEnd(stop);
  const replicaUrl = url.replace(encodeURIComponent(primary.dir), encodeURIComponent(dir));
  const at = new URL(primary.adminUrl);
  const adminUrl = at.href.replace(encodeURIComponent(primary.dir), encodeURIComponent(dir));
  const replicaAdmin = openDatabase({ url: adminUrl, poolSize: 1, applicationName: 'test admin' });
  atEnd(() => replicaAdmin.close());
  return {
    database: { db, url, close: async () => undefined },
    ...{ replicaUrl, replicaAdmin, stopReplica: stop, startReplica: start },
    pause: async () => void (await replicaAdmin.pool.query('SELECT pg_wal_replay_pause()')),
    resume: async () => void (await replicaAdmin.pool.query('SELECT pg_wal_replay_resume()')),
    async untilEqual() {
      const { lastEnd } = await lookAtPrimary(db);
      await until('the replica follows', async () => (await lookAtReplica(replicaAdmin)).replayed >= lastEnd);
    },
  };
}

/** A copy of a running PostgreSQL's folder that becomes a replica of it. */
async function copyRunning(adminUrl: string, from: string, to: string): Promise<void> {
  const admin = openDatabase({ url: adminUrl, poolSize: 1, applicationName: 'test copy' });
  try {
    await admin.pool.query(`SELECT pg_backup_start('copy', true)`);
    execFileSync('cp', ['-a', from, to]);
    const { rows } = await admin.pool.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(false)',
    );
    for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
      rmSync(join(to, name), { force: true });
    const { uid, gid } = statSync(from);
    for (const [name, text] of [
      ['backup_label', rows[0]?.labelfile ?? ''],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(to, name), text, { mode: 0o600 });
      chownSync(join(to, name), uid, gid);
    }
  } finally {
    await admin.close();
  }
}

function conninfoOf(adminUrl: string): string {
  const { hostname, port, username, password } = new URL(adminUrl);
  return `host=${decodeURIComponent(hostname)} port=${port} user=${username} password=${password}`;
}
