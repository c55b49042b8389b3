/**
 * A pool of connections that opens few: each costs PostgreSQL 15 to 30 MiB, and 150 ms of CPU until it has planned what runs often. So a call waits a
 * moment for one that is in use. The pool grows at once only where callers keep connections for long: while all are soon given back, it is mostly the
 * machine that calls wait for, and one more connection would make it slower. One that has little to do rests: it keeps a single connection.
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
/** A pool rests when for this long its connections were in use for less than `quietShare` of the time of one: the worker asks for work now and then, and finds none. */
const usualRestAfterMs = 5_000;
const quietShare = 0.15;
/** The first call that waits this long ends the rest. */
const wakeAfterMs = 20;

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

interface Bounds {
  readonly usual: number;
  readonly size: number;
  readonly restAfterMs: number;
}

type OnConnection = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;

/** Has the pool grow while calls wait, and rest while few come. The pool itself closes what has been idle for ten seconds. */
function makeElastic(pool: pg.Pool, { usual, size, restAfterMs }: Bounds): void {
  const { options } = pool;
  const connect: () => Promise<pg.PoolClient> = pool.connect.bind(pool);
  /** Since when each connection is in use. */
  const taken = new Map<pg.PoolClient, number>();
  /** Since when each caller waits; the first waits longest. */
  const waits = new Set<{ readonly sinceMs: number }>();
  let timer: NodeJS.Timeout | undefined;
  /** It grows by one at a time: on a busy machine opening one takes longer than the next look, and it is the machine that they wait for. */
  let opening = 0;
  let isResting = false;
  let watched = { sinceMs: elapsedMs(), usedMs: 0 };

  pool.on('acquire', (client) => taken.set(client, elapsedMs()));
  pool.on('release', (_error, client) => {
    const nowMs = elapsedMs();
    watched.usedMs += nowMs - (taken.get(client) ?? nowMs);
    taken.delete(client);
    const watchedMs = nowMs - watched.sinceMs;
    if (watchedMs < restAfterMs) return;
    const usedMs = keptMs(nowMs).reduce((sum, ms) => sum + ms, watched.usedMs);
    watched = { sinceMs: nowMs, usedMs: 0 };
    // The pool has this connection back then.
    if (usedMs < watchedMs * quietShare) setImmediate(rest);
  });

  const keptMs = (nowMs: number) => [...taken.values()].map((sinceMs) => nowMs - sinceMs);

  function rest(): void {
    if (pool.ending) return;
    isResting = true;
    options.max = 1;
    for (let left = Math.min(pool.idleCount, pool.totalCount - 1); left > 0; left--) {
      // The last one stays, whoever has taken others meanwhile.
      connect().then(
        (client) => client.release(pool.totalCount > 1),
        () => undefined,
      );
    }
  }

  /** Whoever waits gets what would have been opened for them at once. */
  function wake(nowMs: number): void {
    isResting = false;
    options.max = usual;
    watched = { sinceMs: nowMs, usedMs: 0 };
    for (let left = Math.min(waits.size, usual - pool.totalCount); left > 0; left--) openOne();
  }

  function openOne(): void {
    opening++;
    // For this one connection alone: where it fails, whoever waits goes on waiting for one of the others.
    options.max = Math.max(usual, pool.totalCount + 1);
    // Who waits longest gets it, as any that is released.
    connect()
      .then(
        (client) => client.release(),
        () => undefined,
      )
      .finally(() => {
        opening--;
      });
    options.max = usual;
  }

  function check(): void {
    timer = undefined;
    const [longest] = waits;
    if (longest === undefined || pool.ending) return;
    const nowMs = elapsedMs();
    const waitedMs = nowMs - longest.sinceMs;
    if (isResting && waitedMs >= wakeAfterMs) wake(nowMs);
    const use = { usual, size, open: pool.totalCount, keptMs: keptMs(nowMs), waitedMs };
    if (opening === 0 && mayGrow(use)) openOne();
    const nextMs = isResting ? wakeAfterMs : growAfterMs;
    timer = setTimeout(check, Math.max(nextMs - waitedMs, nextMs / 2)).unref();
  }

  async function ask(): Promise<pg.PoolClient> {
    const asked = connect();
    if (pool.waitingCount === 0) return asked;
    const wait = { sinceMs: elapsedMs() };
    waits.add(wait);
    if (timer === undefined) timer = setTimeout(check, isResting ? wakeAfterMs : growAfterMs).unref();
    try {
      return await asked;
    } finally {
      waits.delete(wait);
    }
  }

  // `pool.query` hands a callback over.
  pool.connect = ((then?: OnConnection) => {
    const asked = ask();
    if (then !== undefined) asked.then((client) => then(undefined, client, client.release), then);
    return then === undefined ? asked : undefined;
  }) as typeof pool.connect;
}

/** A connection, for the caller to release. Throws DatabaseUnavailable when there is none. */
export async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw translate(error);
  }
}
