/**
 * Where each look begins. Ids are made some time before their transaction is committed: most looks go back for seconds, and a wide one,
 * now and then, for half a minute (no statement takes longer), compared with the wide one before it. What may have been missed even so is known, and said.
 */

const narrowSeconds = 3;
const wideSeconds = 30;
const wideEveryMs = 3_000;
/** Past this a look does not reach back to all that may have been committed meanwhile. */
const reachedMs = 20_000;

interface Seen {
  readonly snapshot: string;
  readonly atMs: number;
}

export interface NextLook {
  /** Null: there is none to compare with. */
  readonly snapshot: string | null;
  readonly seconds: number;
  readonly isWide: boolean;
  readonly atMs: number;
}

export interface Window {
  next(): NextLook;
  /** The look succeeded, with its own snapshot. True: something may have been committed that no look has found. */
  found(look: NextLook, snapshot: string): boolean;
}

/** `now` is in milliseconds, for spans. */
export function createWindow(now: () => number): Window {
  let last: Seen | null = null;
  let wide: Seen | null = null;
  let isLost = false;
  /** Transactions that a wide look has seen running, and when first. */
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
      // Numbers only grow, but for a server that took over from another without its last transactions.
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
