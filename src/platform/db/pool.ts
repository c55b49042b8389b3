/**
 * A pool of connections that opens few: each costs PostgreSQL 15 to 18 MiB, and 150 ms of CPU until it has planned what runs often. So a call waits a
 * moment for one that is in use. The pool grows at once only where callers keep connections for long: while all are soon given back, it is mostly the
 * machine that calls wait for, and one more connection would make it slower.
 */
import pg from 'pg';
import { elapsedMs } from '#base/clock.ts';
import { translate } from './errors.ts';

/** Opened as they are needed. A machine of two cores does not work on more statements at once. */
export const usualConnections = 6;
/** The same with the embedded PostgreSQL, which shares the cores with this process: four make as many bookings a second as six, and each one less saves 15 MiB. */
export const usualWithEmbedded = 4;
/** Only a call that has waited this long has another connection opened. */
const growAfterMs = 100;
/** A connection that its caller has kept this long is not one of the usual: those are for calls that soon give them back. */
const longMs = 250;
/** A call that has waited this long has another one opened in any case: calls may wait for locks or a network, and not for the machine. */
const growAnywayAfterMs = 1_000;

/** Asks a pool for a connection, and has it grow where that takes too long. The pool closes what has been idle for ten seconds. */
type Ask = () => Promise<pg.PoolClient>;
const askOf = new WeakMap<pg.Pool, Ask>();

interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** How many it opens before it grows; `usualConnections` unless given. */
  readonly usual?: number | undefined;
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
  if (size > usual) askOf.set(pool, growing(pool, usual, size));
  return pool;
}

interface Use {
  readonly usual: number;
  readonly size: number;
  /** Connections that are open, whether in use or not. */
  readonly open: number;
  /** How long each connection that is in use has been kept, in milliseconds. */
  readonly keptMs: readonly number[];
  /** How long the first call in the queue has waited, in milliseconds. */
  readonly waitedMs: number;
}

/** Whether the first call in the queue has another connection opened: where fewer than the usual ones are open beside those that are kept for long, or where it has waited too long. */
export function mayGrow({ usual, size, open, keptMs, waitedMs }: Use): boolean {
  if (open >= size || waitedMs < growAfterMs) return false;
  return waitedMs >= growAnywayAfterMs || open - keptMs.filter((ms) => ms >= longMs).length < usual;
}

function growing(pool: pg.Pool, usual: number, size: number): Ask {
  const { options } = pool;
  /** Since when each connection is in use. */
  const taken = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => taken.set(client, elapsedMs()));
  pool.on('release', (_error, client) => taken.delete(client));
  /** Since when each caller waits; the first waits longest. */
  const waits = new Set<{ readonly sinceMs: number }>();
  let timer: NodeJS.Timeout | undefined;
  /** One at a time: on a busy machine opening one takes longer than the next look, and it is the machine that they wait for. */
  let isOpening = false;

  function check(): void {
    timer = undefined;
    const [longest] = waits;
    if (longest === undefined || pool.ending) return;
    const nowMs = elapsedMs();
    const waitedMs = nowMs - longest.sinceMs;
    const keptMs = [...taken.values()].map((sinceMs) => nowMs - sinceMs);
    if (!isOpening && mayGrow({ usual, size, open: pool.totalCount, keptMs, waitedMs })) {
      isOpening = true;
      // For this one connection alone: where it fails, whoever waits goes on waiting for one of the others.
      options.max = Math.max(usual, pool.totalCount + 1);
      // Who waits longest gets it, as any that is released.
      pool
        .connect()
        .then(
          (client) => client.release(),
          () => undefined,
        )
        .finally(() => {
          isOpening = false;
        });
      options.max = usual;
    }
    timer = setTimeout(check, Math.max(growAfterMs - waitedMs, growAfterMs / 2)).unref();
  }
  return async () => {
    const asked = pool.connect();
    if (pool.waitingCount === 0) return asked;
    const wait = { sinceMs: elapsedMs() };
    waits.add(wait);
    if (timer === undefined) timer = setTimeout(check, growAfterMs).unref();
    try {
      return await asked;
    } finally {
      waits.delete(wait);
    }
  };
}

/** A connection, for the caller to release. Throws DatabaseUnavailable when there is none. */
export async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await (askOf.get(pool)?.() ?? pool.connect());
  } catch (error) {
    throw translate(error);
  }
}
