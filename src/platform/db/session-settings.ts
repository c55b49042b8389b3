/**
 * Settings of a connection. Behind a pooler that lends sessions by the transaction nothing can be set on one: it would hold for other clients,
 * and not for the next statement. There the settings are those of the role in its database, which `pitlane migrate` makes.
 */

import type { ClientBase, QueryConfig } from 'pg';
import { ownValue } from '#base/values/own-value.ts';
import type { Database, Queryable } from './database.ts';
import { takeConnection } from './pool.ts';

/** By name, as PostgreSQL shows them. Compiling plans (`jit`) pays for long statements alone. */
const settings: Readonly<Record<string, string>> = {
  jit: 'off',
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '15s',
};
const sets = Object.entries(settings)
  .map(([name, value]) => `SET ${name} = '${value}'`)
  .join('; ');

const pooled = new WeakSet<ClientBase>();

/** Whether a pooler is between this connection and PostgreSQL. */
export const isPooled = (client: ClientBase): boolean => pooled.has(client);

/** A server that falls silent now would be waited for without end: the limit of connecting is over. */
const usualWithinMs = 5_000;

/**
 * Sets up a new connection; rejects when one of its two statements takes longer than `withinMs`. A pooler gives its clients a cancel key of its own, so the process that PostgreSQL names is not the one that
 * the driver was told. A proxy that passes everything on counts as no pooler.
 */
export async function setUp(client: ClientBase, withinMs: number = usualWithinMs): Promise<void> {
  const within = (text: string): QueryConfig => ({ text, query_timeout: withinMs }) as QueryConfig;
  const { rows } = await client.query<{ pid: number }>(within('SELECT pg_backend_pid() AS pid'));
  if (rows[0]?.pid === toldPid(client)) await client.query(within(sets));
  else pooled.add(client);
}

/** The driver keeps it, but does not declare it. */
const toldPid = (client: ClientBase) => (client as ClientBase & { processID?: number | null }).processID;

/** The settings that connections of the pool lack, by name. */
export async function missingSettings(db: Queryable): Promise<string[]> {
  const names = Object.keys(settings);
  const rows = await db.query<{ name: string; value: string }>(
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  return rows.filter(({ name, value }) => ownValue(settings, name) !== value).map(({ name }) => name);
}

/**
 * Behind a pooler, gives the settings to the role for this database; any role may do so for itself. Returns whether something changed: the
 * pooler's connections have it once they are made again. Safe to call from many processes at once.
 */
export async function settleRole(db: Database): Promise<boolean> {
  const client = await takeConnection(db.pool);
  const behindPooler = isPooled(client);
  client.release();
  if (!behindPooler) return false;
  return db.transaction(async (tx) => {
    await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('role settings', 0))");
    const [role] = await tx.query<{ has: string[] }>(
      `SELECT coalesce((SELECT setconfig FROM pg_db_role_setting
                         WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
                           AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())), '{}') AS has`,
    );
    const lacking = Object.entries(settings).filter(
      ([name, value]) => !role?.has.includes(`${name}=${value}`),
    );
    for (const [name, value] of lacking) await tx.query(alterText(name, value));
    return lacking.length > 0;
  });
}

/** The name of the database is no parameter of ALTER ROLE. */
const alterText = (name: string, value: string) =>
  `DO $$ BEGIN EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET ${name} = %L', current_database(), '${value}'); END $$`;
