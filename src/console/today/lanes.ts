/** Lays the bookings of a day out in lanes: those that overlap in time stand side by side. */

export interface Laid<Item> {
  readonly item: Item;
  /** From 0. */
  readonly lane: number;
}

export interface Timed {
  /** Milliseconds. */
  readonly from: number;
  readonly until: number;
}

/** Each in the first lane that is free at its beginning, and how many lanes there are. Takes items in any order. */
export function lanesOf<Item extends Timed>(
  items: readonly Item[],
): { readonly laid: readonly Laid<Item>[]; readonly lanes: number } {
  const busyUntil: number[] = [];
  const laid = items
    .toSorted((one, other) => one.from - other.from || other.until - one.until)
    .map((item) => {
      const free = busyUntil.findIndex((until) => until <= item.from);
      const lane = free < 0 ? busyUntil.length : free;
      busyUntil[lane] = item.until;
      return { item, lane };
    });
  return { laid, lanes: busyUntil.length };
}

/** The most of them at once in any moment of a time, each counted as `weight`. */
export function mostAtOnce<Item extends Timed & { readonly weight: number }>(
  items: readonly Item[],
  from: number,
  until: number,
): number {
  const here = items.filter((item) => item.from < until && item.until > from);
  const moments = [from, ...here.map((item) => item.from).filter((at) => at > from)];
  return moments.reduce((most, at) => {
    const together = here.filter((item) => item.from <= at && item.until > at);
    return Math.max(
      most,
      together.reduce((sum, { weight }) => sum + weight, 0),
    );
  }, 0);
}
