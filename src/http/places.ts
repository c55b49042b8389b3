/**
 * A fixed number of places, shared out: a holder gets a place while it holds fewer than are free. One alone so holds half of
 * them at most, two a third each, and some are always free for the next, without a setting for how many holders there are.
 */
export interface Places {
  /** False when there is none for this holder now. */
  take(holder: string): boolean;
  giveBack(holder: string): void;
}

export function createPlaces(atMost: number): Places {
  /** Holders of at least one. */
  const held = new Map<string, number>();
  let free = atMost;

  return {
    take(holder) {
      const own = held.get(holder) ?? 0;
      if (own >= free) return false;
      held.set(holder, own + 1);
      free--;
      return true;
    },
    giveBack(holder) {
      const own = held.get(holder) ?? 0;
      if (own === 0) return;
      if (own === 1) held.delete(holder);
      else held.set(holder, own - 1);
      free++;
    },
  };
}
