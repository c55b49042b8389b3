/**
 * A fixed number of permits, shared fairly: a holder gets a permit while it holds fewer than are free. So one holder alone gets
 * half of them at most, two get a third each, and some stay free for the next, without a setting for the number of holders.
 */
export interface Permits {
  /** False when there is no permit for this holder now. */
  acquire(holder: string): boolean;
  release(holder: string): void;
}

export function createPermits(atMost: number): Permits {
  /** How many permits each holder has; without holders that have none. */
  const held = new Map<string, number>();
  let free = atMost;

  return {
    acquire(holder) {
      const own = held.get(holder) ?? 0;
      if (own >= free) return false;
      held.set(holder, own + 1);
      free--;
      return true;
    },
    release(holder) {
      const own = held.get(holder) ?? 0;
      if (own === 0) return;
      if (own === 1) held.delete(holder);
      else held.set(holder, own - 1);
      free++;
    },
  };
}
