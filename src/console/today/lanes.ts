/** Lays the bookings of a day out in lanes: those that overlap in time stand side by side. */
import type { Timed } from '../days/at-once.ts';

export interface Laid<Item> {
  readonly item: Item;
  /** From 0. */
  readonly lane: number;
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
