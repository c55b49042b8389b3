/** The only access to PostgreSQL: a pool, named prepared statements, transactions. Only this folder imports the driver. */
import pRetry from 'p-retry';
import pg from 'pg';
import { processSettings } from '#base/config/process.ts';
import { OperatorError } from '#base/operator-error.ts';
import { announce } from './announce.ts';
import { DatabaseFull, DatabaseUnavailable, sqlState, translate } from './errors.ts';
import { openPool, takeConnection } from './pool.ts';
import { choosePlans, forgetPlans, nameOf } from './prepared.ts';
import { inCamelCase } from './result-columns.ts';
import { isPooled, setUp } from './session-settings.ts';

/**
 * Runs one statement. Its text must be a constant: it is prepared once per connection under a name of its own. The columns of the
 * result, snake_case in SQL, are camelCase in the rows: `partner_id` is read as `partnerId`.
 */
export interface Queryable {
  query<Row extends object = Record<string, never>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

export interface Database extends Queryable {
  /**
   * One transaction (READ COMMITTED); run again from the start after a deadlock, or where a row that it refers to has gone, so it must have
   * no other effects.
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The driver's pool, for tests, which bring their own statements. */
  readonly pool: pg.Pool;
  /**
   * The driver's pool of connections to PostgreSQL itself, for migrations, whole tables and LISTEN, which need a session of their own. The
   * same as `pool` where one address is known.
   */
  readonly direct: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The address of PostgreSQL, or of a pooler before it. */
  readonly url: string;
  /** The address of PostgreSQL itself; `url` unless given. */
  readonly directUrl?: string | null;
  readonly poolSize: number;
  /** How many connections the pool opens before it grows; those of `openPool` unless given. */
  readonly usualConnections?: number | undefined;
  readonly applicationName: string;
  /** The longest wait of a call for a connection, in milliseconds; five seconds unless given. */
  readonly connectWithinMs?: number | undefined;
}

/** Longer than the server's own limit: after it the response counts as lost on the network. */
const responseTimeoutMs = 20_000;
/** Direct connections beside a pooler: a command, or a backup before a migration, needs one or two. */
const directAtMost = 2;
/** serialization_failure and deadlock_detected: safe to run again. */
const conflicts = new Set(['40001', '40P01']);
const isConflict = (error: unknown) => conflicts.has(sqlState(error) ?? '');
/** foreign_key_violation: what it refers to was deleted meanwhile, and whoever looks again sees that. */
const hasGone = (error: unknown) => sqlState(error) === '23503';
const conflictRetries = {
  retries: 4,
  minTimeout: 5,
  maxTimeout: 100,
  randomize: true,
  shouldRetry: ({ error }: { error: Error }) => isConflict(error) || hasGone(error),
};
/** Runs work again after a conflict with another transaction, or a reference to a row that has gone, where PostgreSQL rolled it back. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await pRetry(work, conflictRetries);
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new DatabaseUnavailable(`gave up after ${conflictRetries.retries + 1} conflicts`, { cause: error });
  }
}

/** Runs one statement on a connection. Throws DatabaseUnavailable when there is no response in time. */
export async function run<Row extends object>(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  withinMs: number = responseTimeoutMs,
): Promise<Row[]> {
  const unnamed = { text, values: [...values], query_timeout: withinMs };
  try {
    // Behind a pooler the next statement may meet another session: each is prepared and planned for itself.
    if (isPooled(client)) return inCamelCase(await client.query<Row>(unnamed));
    await choosePlans(client, text, withinMs);
    return inCamelCase(await client.query<Row>({ ...unnamed, name: nameOf(text) }));
  } catch (error) {
    throw translate(error);
  }
}

/** A connection to PostgreSQL itself, for the caller to release. Throws DatabaseUnavailable; OperatorError where a pooler is in between. */
export async function takeDirectConnection({ direct }: Pick<Database, 'direct'>): Promise<pg.PoolClient> {
  const client = await takeConnection(direct);
  if (!isPooled(client)) return client;
  client.release();
  throw new OperatorError(
    'this needs a session of its own, and there is a pooler in between: ' +
      `${processSettings.databaseDirectUrl.name} has to be PostgreSQL's own address`,
  );
}

/**
 * Lends a connection to `work`. It goes back to the pool after a refused statement, and is closed after DatabaseUnavailable; after
 * DatabaseFull only when it can't roll back.
 */
export async function withConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await takeConnection(pool);
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken =
      error instanceof DatabaseFull ? !(await rollsBack(client)) : error instanceof DatabaseUnavailable;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Also where no transaction is open. */
async function rollsBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await rollBack(client);
    return true;
  } catch {
    return false;
  }
}

async function rollBack(client: pg.PoolClient): Promise<void> {
  await run(client, 'ROLLBACK');
  forgetPlans(client);
}

/** The servers of databases and their transactions. */
const servers = new WeakMap<Queryable, () => string>();

/** Has `db` count as on the server that `base` is on; returns it. */
export function servedAs<Q extends Queryable>(base: Queryable, db: Q): Q {
  const server = servers.get(base);
  if (server !== undefined) servers.set(db, server);
  return db;
}

/** Names the server that a database or a transaction is on, the same for all databases of one; undefined for what wraps them. */
export function serverOf(db: Queryable): string | undefined {
  return servers.get(db)?.();
}

/** Runs `work` in a transaction of the connection. */
export async function inTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  await run(client, 'BEGIN');
  try {
    const result = await work({
      query(text, values) {
        announce(text);
        return run(client, text, values);
      },
    });
    await run(client, 'COMMIT');
    return result;
  } catch (error) {
    // A connection that is closed rolls back by itself; one that found the disk full, before it is given back.
    if (!(error instanceof DatabaseUnavailable)) await rollBack(client);
    throw error;
  }
}

/** By the database that `joining` made: the one that lent the transaction its connection. */
const homes = new WeakMap<Queryable, Queryable>();

/** The database as `tx` sees it: statements run in that transaction, and a transaction of its own is a part of it. */
export function joining(db: Database, tx: Queryable): Database {
  const own: Database = {
    ...db,
    query: (text, values) => tx.query(text, values),
    transaction: (work) => work(tx),
  };
  homes.set(own, homeOf(db));
  return servedAs(db, own);
}

/** Whether the database is one that `joining` made. */
export const isJoined = (db: Queryable): boolean => homes.has(db);

/** The database whose transaction a joined one is, by which caches go; any other: itself. */
export const homeOf = (db: Queryable): Queryable => homes.get(db) ?? db;

/** Opens a pool, and one of direct connections where there are two addresses; no connection is made before the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, applicationName, connectWithinMs } = options;
  const directUrl = options.directUrl ?? url;
  const common = { applicationName, connectWithinMs, onConnect: setUp };
  const pool = openPool({ ...common, url, size: options.poolSize, usual: options.usualConnections });
  const direct = directUrl === url ? pool : openPool({ ...common, url: directUrl, size: directAtMost });

  let server: string | undefined;
  // Read when it is asked for: whoever reads an address reads the certificates that it names, and they may be missing.
  const serverName = () => {
    const { host, port } = new pg.Client({ connectionString: options.url });
    return `${host}:${port}`;
  };
  const onServer = <Q extends Queryable>(db: Q): Q => {
    servers.set(db, () => (server ??= serverName()));
    return db;
  };
  return onServer({
    pool,
    direct,
    query(text, values) {
      announce(text);
      return withRetries(() => withConnection(pool, (client) => run(client, text, values)));
    },
    transaction: (work) =>
      withRetries(() => withConnection(pool, (client) => inTransaction(client, (tx) => work(onServer(tx))))),
    close: async () => {
      await Promise.all([...new Set([pool, direct])].map((one) => one.end()));
    },
  });
}
