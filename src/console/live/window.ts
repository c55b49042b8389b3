/**
 * The start of each query. Ids are made some time before their transaction commits: most queries go back some seconds, and now and
 * then a wide query goes back half a minute (no statement takes longer) and is compared with the previous wide one. If changes may
 * have been missed even so, that is detected and announced.
 */

const narrowSeconds = 3;
const wideSeconds = 30;
const wideEveryMs = 3_000;
/** After a longer pause a query does not reach back to everything that may have been committed meanwhile. */
const reachedMs = 20_000;

interface Seen {
  readonly snapshot: string;
  readonly atMs: number;
}

export interface NextLook {
  /** Null: there is no previous one to compare with. */
  readonly snapshot: string | null;
  readonly seconds: number;
  readonly isWide: boolean;
  readonly atMs: number;
}

export interface Window {
  next(): NextLook;
  /** The query succeeded, with this snapshot. True: a commit may have been missed. */
  found(look: NextLook, snapshot: string): boolean;
}

/** `now`: a monotonic clock in milliseconds. */
export function createWindow(now: () => number): Window {
  let last: Seen | null = null;
  let wide: Seen | null = null;
  let isLost = false;
  /** Running transactions that wide queries have seen, with the first time. */
  let running = new Map<string, number>();

  function follow(atMs: number, ids: readonly string[]): boolean {
    const still = new Set(ids);
    const isMissed = [...running].some(([id, sinceMs]) => !still.has(id) && atMs - sinceMs > reachedMs);
    running = new Map(ids.map((id) => [id, running.get(id) ?? atMs]));
    return isMissed;
  }

  return {
    next() {
      const atMs = now();
      if (last === null || wide === null || atMs - last.atMs > reachedMs) {
        isLost = last !== null;
        return { snapshot: null, seconds: narrowSeconds, isWide: true, atMs };
      }
      const isWide = atMs - wide.atMs >= wideEveryMs;
      const { snapshot, atMs: sinceMs } = isWide ? wide : last;
      const seconds = (isWide ? wideSeconds : narrowSeconds) + (atMs - sinceMs) / 1_000;
      return { snapshot, seconds, isWide, atMs };
    },
    found({ isWide, atMs }, snapshot) {
      const own = partsOf(snapshot);
      // Transaction ids only grow, except after a failover that lost the last transactions.
      const isOther = last !== null && own.next < partsOf(last.snapshot).next;
      const isMissed = isWide && follow(atMs, own.running);
      const missed = isLost || isOther || isMissed;
      isLost = false;
      last = { snapshot, atMs };
      if (isWide || isOther) wide = last;
      return missed;
    },
  };
}

/** `xmin:xmax:xip,xip` */
function partsOf(snapshot: string): { readonly next: bigint; readonly running: readonly string[] } {
  const [, next = '0', running = ''] = snapshot.split(':');
  return { next: BigInt(next), running: running === '' ? [] : running.split(',') };
}
