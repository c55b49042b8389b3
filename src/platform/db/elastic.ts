/**
 * A pool that grows and rests. It grows at once only where callers keep connections for long: while connections are released quickly, the CPU is
 * the bottleneck, and another connection would only add load. While it has little to do it rests, with a single connection that calls
 * take turns at, and others beside it while a call keeps that for long.
 */
import type pg from 'pg';
import { elapsedMs } from '#base/clock.ts';

/** Only a call that has waited this long has another connection opened. */
const growAfterMs = 100;
/** Connections that a caller has kept for longer than this do not count towards `usual`, which is for calls that soon give them back. */
const longMs = 250;
/** A call that has waited this long has another one opened in any case: calls may wait for locks or a network, and not for the machine. */
const growAnywayAfterMs = 1_000;
/** A pool has little to do while its connections are in use for less than this share of the time of one: the worker asks for work now and then, and finds none. */
const quietShare = 0.15;
/** Its connections are in use for more than this share of the time of one: that ends a rest. */
const busyShare = 0.5;
/** Where what a rest has closed is soon opened again, the next one closes later: connections that are closed and opened by turns cost more than they take. */
const keptAtMostMs = 60_000;
/** A call that waits this long has a resting pool open another connection. As many calls as there are usual connections, or one while those are open, end the rest. */
const wakeAfterMs = 20;

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
  /** How many it opens before it grows. */
  readonly usual: number;
  readonly size: number;
  /** For how long it has little to do until it rests. */
  readonly restAfterMs: number;
}

type OnConnection = (error: Error | undefined, client?: pg.PoolClient, release?: () => void) => void;

/** Has the pool grow while calls wait, and rest while few come. The pool itself closes what has been idle for ten seconds. */
export function makeElastic(pool: pg.Pool, { usual, size, restAfterMs }: Bounds): void {
  const { options } = pool;
  const connect: () => Promise<pg.PoolClient> = pool.connect.bind(pool);
  const end: () => Promise<void> = pool.end.bind(pool);
  /** Since when each connection is in use. */
  const taken = new Map<pg.PoolClient, number>();
  /** The calls that wait, and since when; the first waits longest. */
  const waits = new Set<{ readonly asked: Promise<pg.PoolClient>; readonly sinceMs: number }>();
  let timer: NodeJS.Timeout | undefined;
  /** It grows by one at a time: on a busy machine opening one takes longer than the next look, and it is the machine that they wait for. */
  let opening = 0;
  /** When one could not be opened. */
  let failedMs = -Infinity;
  let isResting = false;
  /** When a rest closed connections; null: one was opened again since. */
  let closedMs: number | null = null;
  let watched = { sinceMs: elapsedMs(), usedMs: 0 };
  /** A connection that was opened again is kept for this long: longer where that was soon after it had been closed. */
  let keepMs = restAfterMs;
  /** No rest closes any before. */
  let keepUntilMs = 0;

  const watch = () => {
    watched = { sinceMs: elapsedMs(), usedMs: 0 };
  };
  const keptMs = (nowMs: number) => [...taken.values()].map((sinceMs) => nowMs - sinceMs);

  pool.on('connect', watch);
  pool.on('acquire', (client) => taken.set(client, elapsedMs()));
  pool.on('release', (_error, client) => {
    const nowMs = elapsedMs();
    watched.usedMs += nowMs - (taken.get(client) ?? nowMs);
    taken.delete(client);
    const watchedMs = nowMs - watched.sinceMs;
    if (watchedMs < restAfterMs) return;
    const usedMs = keptMs(nowMs).reduce((sum, ms) => sum + ms, watched.usedMs);
    watch();
    // Calls that follow each other closely may keep a few connections busy without any that waits long.
    if (usedMs > watchedMs * busyShare) wake();
    // After a silence this call may be the first of many. The pool has this connection back by the next turn.
    const isQuiet = watchedMs < 2 * restAfterMs && usedMs < watchedMs * quietShare;
    if (isQuiet && nowMs >= keepUntilMs) setImmediate(rest);
  });

  function rest(): void {
    // Whether what is being opened can be is not known: until then the others are needed.
    if (pool.ending || opening > 0) return;
    isResting = true;
    options.max = 1;
    // The pool lends first what it got back last: that one stays, and the last one, whoever has taken others meanwhile.
    const isKept = pool.idleCount === pool.totalCount;
    for (let nth = 0, idle = pool.idleCount; nth < idle; nth++) {
      connect().then(
        (client) => {
          const isExtra = !(isKept && nth === 0) && pool.totalCount > 1;
          if (isExtra) closedMs = elapsedMs();
          client.release(isExtra);
        },
        () => undefined,
      );
    }
    clearTimeout(timer);
    timer = undefined;
    if (waits.size > 0) look(wakeAfterMs);
  }

  /** One is opened, after a rest has closed some. */
  function reopen(): void {
    if (closedMs === null) return;
    const nowMs = elapsedMs();
    const hasLasted = nowMs - closedMs >= keepMs;
    keepMs = hasLasted ? restAfterMs : Math.min(2 * keepMs, keptAtMostMs);
    keepUntilMs = nowMs + keepMs;
    closedMs = null;
  }

  function wake(): void {
    if (!isResting) return;
    reopen();
    isResting = false;
    options.max = usual;
    watch();
  }

  function openOne(then: () => void = wake): void {
    opening++;
    const { max } = options;
    // For this one connection alone: where it fails, whoever waits goes on waiting for one of the others.
    options.max = Math.max(max, pool.totalCount + 1);
    // The call that waits longest gets it, as it gets any that is released.
    connect()
      .then(
        (client) => {
          then();
          client.release();
        },
        () => {
          failedMs = elapsedMs();
        },
      )
      .finally(() => {
        opening--;
      });
    options.max = max;
  }

  /** Answers that have come meanwhile are read before it. */
  function look(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => setImmediate(check), afterMs).unref();
  }

  function check(): void {
    timer = undefined;
    const [longest] = waits;
    if (longest === undefined || pool.ending) return;
    const nowMs = elapsedMs();
    const waitedMs = nowMs - longest.sinceMs;
    if (opening === 0 && nowMs - failedMs >= growAfterMs / 2) {
      const open = pool.totalCount;
      if (isResting && waitedMs >= wakeAfterMs) rouse();
      else if (mayGrow({ usual, size, open, keptMs: keptMs(nowMs), waitedMs })) openOne();
    }
    if (isResting) look(waitedMs < wakeAfterMs ? wakeAfterMs - waitedMs : wakeAfterMs);
    else look(Math.max(growAfterMs - waitedMs, growAfterMs / 2));
  }

  /** A few that wait, for a call that takes long, are not yet a load: one more connection will do, and the rest goes on. */
  function rouse(): void {
    const open = pool.totalCount;
    if (open >= usual) wake();
    else if (waits.size < usual) openOne(reopen);
    // They get what would have been opened for them at once.
    else for (let left = usual - open; left > 0; left--) openOne();
  }

  async function ask(): Promise<pg.PoolClient> {
    const asked = connect();
    if (pool.waitingCount === 0) return asked;
    const wait = { asked, sinceMs: elapsedMs() };
    waits.add(wait);
    if (timer === undefined) look(isResting ? wakeAfterMs : growAfterMs);
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
  // A pool that ends serves nobody who waits.
  pool.end = (async () => {
    await Promise.allSettled([...waits].map(({ asked }) => asked));
    await end();
  }) as typeof pool.end;
}
