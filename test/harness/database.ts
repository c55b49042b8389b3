/** A database of its own for each test file. Import it at the top of the file: it cleans up when the file is done. */
import type { PoolClient } from 'pg';
import { type Database, openDatabase, withConnection } from '#platform/db/database.ts';
import { atEnd } from './clean-up.ts';
import { asAdmin, createClone, dropClone, startTestCluster, type TestCluster } from './cluster.ts';
import type { PgBouncer } from './pgbouncer.ts';

export interface TestDatabase {
  readonly db: Database;
  /** For a second process or pool on the same database. */
  readonly url: string;
  /** Drops the database. Called when the test file ends, at the latest. */
  close(): Promise<void>;
}

let own: Promise<TestCluster> | undefined;

/** The cluster that `npm test` started; a file that is run alone starts one for itself. */
async function clusterUrl(): Promise<string> {
  const given = process.env['PITLANE_TEST_CLUSTER'];
  if (given) return given;
  if (own === undefined) {
    const starting = startTestCluster(process.env['PITLANE_TEST_POSTGRES'] || undefined);
    own = starting;
    atEnd(async () => {
      own = undefined;
      await (await starting).stop();
    });
  }
  return (await own).adminUrl;
}

let pooler: Promise<PgBouncer> | undefined;

/** `PITLANE_TEST_POOLER=on`: the databases of the tests are reached through a PgBouncer with eight sessions for each. */
async function poolerBefore(adminUrl: string): Promise<PgBouncer | null> {
  if (process.env['PITLANE_TEST_POOLER'] !== 'on') return null;
  const { startPgBouncer } = await import('./pgbouncer.ts');
  if (pooler === undefined) {
    pooler = startPgBouncer(adminUrl, 8);
    atEnd(async () => {
      pooler = undefined;
    });
  }
  return pooler;
}

/** Other tests run beside a test of many requests at once: those wait for a connection, and are not refused after five seconds. */
const patientMs = 20_000;

/** Makes a migrated, empty database in 10 ms or so. */
export async function createTestDatabase(
  options: { readonly poolSize?: number; readonly connectWithinMs?: number } = {},
): Promise<TestDatabase> {
  const adminUrl = await clusterUrl();
  const url = await createClone(adminUrl);
  const through = (await poolerBefore(adminUrl))?.through(url) ?? url;
  const db = openDatabase({
    ...{ url: through, directUrl: url, poolSize: options.poolSize ?? 10, applicationName: 'test' },
    connectWithinMs: options.connectWithinMs ?? patientMs,
  });
  let closed = false;
  const database: TestDatabase = {
    db,
    url,
    async close() {
      if (closed) return;
      closed = true;
      await db.close();
      await dropClone(adminUrl, url);
    },
  };
  atEnd(database.close);
  return database;
}

/**
 * A connection of the superuser to a test's database, on which no trigger and no foreign-key check runs: for thousands of rows that a
 * test needs and does not test. Most of what such rows cost are their checks.
 */
export async function withoutTriggers(
  url: string,
  work: (client: PoolClient) => Promise<unknown>,
): Promise<void> {
  const own = new URL(await clusterUrl());
  own.pathname = new URL(url).pathname;
  await asAdmin(own.href, ({ pool }) =>
    withConnection(pool, async (client) => {
      await client.query('SET session_replication_role = replica');
      await work(client);
    }),
  );
}
