/** The one way to PostgreSQL: a pool, named prepared statements, transactions. The only folder that imports the driver. */
import pg from 'pg';

/** Runs one statement. Its text must be a constant: it is prepared once per connection under a name of its own. */
export interface Queryable {
  query<Row extends object = Record<string, never>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** One transaction (READ COMMITTED); run again from the start after a deadlock, so it must have no other effects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The driver's pool, for graphile-worker, which brings its own statements. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** No connection could be had: PostgreSQL is away, or every connection is busy for too long. */
export class DatabaseUnavailable extends Error {}

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
}

const attemptsAtMost = 5;
/** serialization_failure and deadlock_detected: safe to run again. */
const retryable = new Set(['40001', '40P01']);
/** Classes of errors after which the statement certainly did not run for want of a server. */
const unavailable = /^(?:08|53|57P0)/;

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

function translate(error: unknown): unknown {
  const state = sqlState(error);
  if (state !== undefined) return unavailable.test(state) ? new DatabaseUnavailable(`PostgreSQL answered ${state}`, { cause: error }) : error;
  // Errors without a state come from the connection itself: refused, ended, or not had in time.
  if (error instanceof Error && /timeout exceeded|ECONN|ENOENT|EPIPE|Connection terminated|not queryable|ended/.test(`${error.message}`)) {
    return new DatabaseUnavailable('no connection to PostgreSQL', { cause: error });
  }
  return error;
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attemptsAtMost || !retryable.has(sqlState(error) ?? '')) throw translate(error);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

async function run<Row extends object>(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const result = await client.query<Row>({ name: nameOf(text), text, values: [...values] });
  return result.rows;
}

/** Opens a pool; no connection is made before the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    idle_in_transaction_session_timeout: 15_000,
    keepAlive: true,
  });
  // An idle connection that breaks is dropped by the pool; the next statement opens another.
  pool.on('error', () => undefined);
  // A busy one that breaks fails its statement; without a listener of its own it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined));

  return {
    pool,
    query: (text, values = []) => withRetries(() => run(pool, text, values)),
    transaction: (work) =>
      withRetries(async () => {
        const client = await pool.connect();
        let broken: Error | undefined;
        try {
          await client.query('BEGIN');
          const result = await work({ query: (text, values = []) => run(client, text, values) });
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await client.query('ROLLBACK').catch((failure: Error) => {
            broken = failure;
          });
          throw error;
        } finally {
          client.release(broken);
        }
      }),
    close: () => pool.end(),
  };
}
