/** A pool of connections that opens few: each costs PostgreSQL 15 to 30 MiB, and 150 ms of CPU until it has planned what runs often. So a call waits a moment for one that is in use. */
import pg from 'pg';
import { makeElastic } from './elastic.ts';
import { translate } from './errors.ts';

/** Opened as they are needed. A machine of two cores does not work on more statements at once. */
export const usualConnections = 6;
/** The same with the embedded PostgreSQL, which shares the cores with this process: four make as many bookings a second as six, and each one less saves 15 MiB. */
export const usualWithEmbedded = 4;
/** A pool rests when it has had little to do for this long. */
const usualRestAfterMs = 5_000;

const usualOf = new WeakMap<pg.Pool, number>();

/** How many connections a pool opens before it grows, also while it rests. */
export function usualSizeOf(pool: pg.Pool): number {
  return usualOf.get(pool) ?? pool.options.max;
}

interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** How many it opens before it grows; `usualConnections` unless given. */
  readonly usual?: number | undefined;
  /** For how long it has little to do until it rests, in milliseconds. */
  readonly restAfterMs?: number | undefined;
  readonly applicationName: string;
  /** Sets a new connection up, and rejects when a statement takes longer. */
  readonly onConnect: (client: pg.ClientBase, withinMs: number) => Promise<void>;
  /** A turn, a connection, or a statement that sets it up fails when it takes longer. */
  readonly connectWithinMs?: number | undefined;
}

/** Makes no connection before the first statement. */
export function openPool({
  url,
  size,
  usual: wanted = usualConnections,
  restAfterMs = usualRestAfterMs,
  applicationName,
  onConnect,
  connectWithinMs = 5_000,
}: PoolOptions): pg.Pool {
  const usual = Math.min(size, wanted);
  const pool = new pg.Pool({
    connectionString: url,
    max: usual,
    application_name: applicationName,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    onConnect: (client) => onConnect(client, connectWithinMs),
  });
  // An idle connection that breaks is dropped by the pool; the next statement opens another.
  pool.on('error', () => undefined);
  // A busy one that breaks fails its statement; without a listener of its own it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  usualOf.set(pool, usual);
  if (size > usual) makeElastic(pool, { usual, size, restAfterMs });
  return pool;
}

/** A connection, for the caller to release. Throws DatabaseUnavailable when there is none. */
export async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translate(error);
  }
}
