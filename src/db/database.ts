/** The one way to PostgreSQL: a pool, named prepared statements, transactions. The only folder that imports the driver. */
import pRetry from 'p-retry';
import pg from 'pg';

/** Runs one statement. Its text must be a constant: it is prepared once per connection under a name of its own. */
export interface Queryable {
  query<Row extends object = Record<string, never>>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** One transaction (READ COMMITTED); run again from the start after a deadlock, so it must have no other effects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The driver's pool, for migrations and tests, which bring their own statements. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * PostgreSQL is away or has no room, or it gave the statement up for taking too long. What was asked did not take
 * effect, unless the connection broke while it was being committed.
 */
export class DatabaseUnavailable extends Error {}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
}

const statementTimeoutMs = 15_000;
/** Longer than the server's own limit: when this passes, the network has swallowed the answer. */
const answerTimeoutMs = 20_000;
/** serialization_failure and deadlock_detected: safe to run again. */
const conflicts = new Set(['40001', '40P01']);
const isConflict = (error: unknown) => conflicts.has(sqlState(error) ?? '');
const conflictRetries = {
  retries: 4,
  minTimeout: 5,
  maxTimeout: 100,
  randomize: true,
  shouldRetry: ({ error }: { error: Error }) => isConflict(error),
};
/**
 * No connection (but 08P01, a malformed message, is a bug of ours), not let in, no such database, no room, shut down,
 * cancelled or cut off for taking too long, read only (a standby after a failover), and an error of its disk.
 */
const unavailable = /^(?:080|28|3D|53|57P0|57014$|25P0[34]$|25006$|58030$)/;
/**
 * Answers after which the statement, and so its transaction, was certainly rolled back: wrong values, violated constraints,
 * conflicts (but 40003, whose name is "completion unknown"), mistakes of ours, locks that were not to be had.
 */
const rolledBack = /^(?:21|22|23|40(?!003)|42|44|55|P0)/;
/** lock_not_available */
const lockTimeout = '55P03';
/** What the driver says of the connection itself, where it gives no code. */
const connectionLost =
  /^(?:Connection terminated|Query read timeout|timeout exceeded|Cannot use a pool)|not queryable/;

const names = new Map<string, string>();
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The name of the violated constraint, or undefined when the error is no such violation. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined;
}

/** Whether PostgreSQL said that the statement took no effect. False of a lost connection: then nobody knows. */
export function provesRollback(error: unknown): boolean {
  return rolledBack.test(sqlState(error) ?? '');
}

/** Whether the statement was given up because others held a lock for longer than its `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === lockTimeout;
}

/** The driver's error as this program sees it: bugs and violated constraints stay what they are. */
function translate(error: unknown): unknown {
  const state = sqlState(error);
  if (state !== undefined) {
    if (!unavailable.test(state)) return error;
    return new DatabaseUnavailable(`PostgreSQL answered ${state}`, { cause: error });
  }
  // Errors of the operating system name the call that failed.
  const isConnection = error instanceof Error && ('syscall' in error || connectionLost.test(error.message));
  return isConnection ? new DatabaseUnavailable('no connection to PostgreSQL', { cause: error }) : error;
}

/** Runs work again after a conflict with another transaction, in which PostgreSQL rolled it back. */
async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await pRetry(work, conflictRetries);
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new DatabaseUnavailable(`gave up after ${conflictRetries.retries + 1} conflicts`, { cause: error });
  }
}

async function run<Row extends object>(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const statement = { name: nameOf(text), text, values: [...values], query_timeout: answerTimeoutMs };
  try {
    const result = await client.query<Row>(statement);
    return result.rows;
  } catch (error) {
    throw translate(error);
  }
}

/** A connection, for the caller to release. Throws DatabaseUnavailable when there is none to be had. */
export async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translate(error);
  }
}

/** Lends a connection to `work`. It is kept after a refused statement, and closed when it can't be trusted any more. */
async function withConnection<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await takeConnection(pool);
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    broken = error instanceof DatabaseUnavailable;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function inTransaction<T>(client: pg.PoolClient, work: (tx: Queryable) => Promise<T>): Promise<T> {
  await run(client, 'BEGIN');
  try {
    const result = await work({ query: (text, values) => run(client, text, values) });
    await run(client, 'COMMIT');
    return result;
  } catch (error) {
    // A connection that is given up rolls back by itself.
    if (!(error instanceof DatabaseUnavailable)) await run(client, 'ROLLBACK');
    throw error;
  }
}

/** Opens a pool; no connection is made before the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
  });
  // An idle connection that breaks is dropped by the pool; the next statement opens another.
  pool.on('error', () => undefined);
  // A busy one that breaks fails its statement; without a listener of its own it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined));

  return {
    pool,
    query: (text, values) => withRetries(() => withConnection(pool, (client) => run(client, text, values))),
    transaction: (work) => withRetries(() => withConnection(pool, (client) => inTransaction(client, work))),
    close: () => pool.end(),
  };
}
