/** The application's own role and database in a cluster. */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import type { Cluster } from './cluster.ts';

const name = 'pitlane';

/**
 * Makes the role `pitlane` (no superuser) and its database where they are missing, also after an interrupted first start,
 * and returns the URL that the application connects with.
 */
export async function provision(cluster: Cluster): Promise<string> {
  // One secret is kept, not two: the role's password follows from the superuser's, and not the other way round.
  const password = createHmac('sha256', cluster.superuserPassword).update(name).digest('hex');
  const client = new pg.Client({ connectionString: cluster.superuserUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
              EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database`,
      [name],
    );
    if (!rows[0]?.role) await client.query(`CREATE ROLE ${name} LOGIN NOSUPERUSER PASSWORD '${password}'`);
    if (!rows[0]?.database) await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
  } finally {
    await client.end();
  }
  return cluster.url(name, password, name);
}

/** True when the URL leads to a PostgreSQL that lets us in. */
export async function isReachable(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
