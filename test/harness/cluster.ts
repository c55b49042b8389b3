/** A throw-away PostgreSQL for tests, with a migrated template database that each test file's database is cloned from. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { type Cluster, startCluster } from '#platform/db/embedded/cluster.ts';
import { isAlive } from '#platform/db/embedded/processes.ts';
import { migrate } from '#platform/db/migrate.ts';
import { scratchFolder } from './scratch.ts';

export interface TestCluster {
  /** Of the superuser, to the database `postgres`; handed to test processes as PITLANE_TEST_CLUSTER. */
  readonly adminUrl: string;
  readonly pid: number;
  readonly dir: string;
  stop(): Promise<void>;
}

/** Of the clusters' folders; the process that made one comes after it. */
const prefix = 'pitlane-test-';
const template = 'pitlane_template';
/** The plain role that owns every test database, as in production. */
const role = 'pitlane_test';

/** Nothing here has to survive a crash, so nothing waits for the disk. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  autovacuum: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
  // Sooner than a batch of calls gives up a lock (src/platform/db/gather.ts), so that every deadlock is found, and counted.
  deadlock_timeout: '50ms',
};

/** Starts a cluster in a temporary folder, with the template ready; `own` are settings of PostgreSQL in place of the usual ones. It stops with this process at the latest. */
export async function startTestCluster(
  binDir?: string,
  own: Readonly<Record<string, string>> = {},
): Promise<TestCluster> {
  const scratch = scratchFolder();
  await removeLeftovers(scratch);
  const dir = await mkdtemp(join(scratch, `${prefix}${process.pid}-`));
  let cluster: Cluster | undefined;
  const stop = async () => {
    await cluster?.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    // Run by root, PostgreSQL changes to a user who has to get in.
    await chmod(dir, 0o755);
    const data = join(dir, 'data');
    cluster = await startCluster({
      ...{ dir: data, settings: { ...settings, ...own } },
      ...(binDir && { binDir }),
    });
    await makeTemplate(cluster.superuserUrl);
    return { adminUrl: cluster.superuserUrl, pid: cluster.pid, dir: data, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Left-overs of killed runs: their PostgreSQL ended with them, their folders did not. */
async function removeLeftovers(scratch: string): Promise<void> {
  const names = await readdir(scratch);
  const left = names.filter(
    (name) => name.startsWith(prefix) && !isAlive(Number.parseInt(name.slice(prefix.length), 10)),
  );
  // Another user's are that user's to remove.
  await Promise.allSettled(left.map((name) => rm(join(scratch, name), { recursive: true, force: true })));
}

/**
 * Clones the template and returns the clone's URL. Measured: 10 ms in memory (with `wal_log` 20), 50 to 500 on a disk
 * with either strategy.
 */
export async function createClone(adminUrl: string): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await adminOf(adminUrl).pool.query(
    `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${role} STRATEGY file_copy`,
  );
  return urlOf(adminUrl, name);
}

export async function dropClone(adminUrl: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await adminOf(adminUrl).pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

const admins = new Map<string, Database>();

/** One connection for all clones of this process; it keeps no process from ending. */
function adminOf(url: string): Database {
  const admin = admins.get(url) ?? openAdmin(url);
  admin.pool.options.allowExitOnIdle = true;
  admins.set(url, admin);
  return admin;
}

async function makeTemplate(adminUrl: string): Promise<void> {
  await asAdmin(adminUrl, async (admin) => {
    const password = new URL(adminUrl).password;
    await admin.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD '${cheapVerifier(password)}'`);
    await admin.pool.query(`CREATE DATABASE ${template} OWNER ${role}`);
    const db = openDatabase({ url: urlOf(adminUrl, template), poolSize: 2, applicationName: 'template' });
    await migrate(db).finally(() => db.close());
    // PostgreSQL refuses to copy a database that someone is connected to.
    await admin.pool.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
  });
}

/** As PostgreSQL keeps a password, of one round: with its 4,096 each connection takes 2 ms of a core more. */
function cheapVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 1, 32, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$1:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}

/** The same server, another database, the plain role (its password is the superuser's: both live for one run). */
function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.pathname = database;
  return url.href;
}

/** Runs `work` with one connection of the superuser. */
export async function asAdmin(adminUrl: string, work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = openAdmin(adminUrl);
  await work(db).finally(() => db.close());
}

function openAdmin(url: string): Database {
  return openDatabase({ url, poolSize: 1, applicationName: 'test harness' });
}
