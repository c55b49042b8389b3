/** Arranges the bookings of a day in lanes: overlapping ones are side by side. */
import type { Timed } from '../days/at-once.ts';

export interface Laid<Item> {
  readonly item: Item;
  /** From 0. */
  readonly lane: number;
}

/** Puts each item into the first lane that is free at its start; returns also the number of lanes. Items may have any order. */
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
