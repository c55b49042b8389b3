/** Counts how many overlap. */

export interface Timed {
  /** Milliseconds. */
  readonly from: number;
  readonly until: number;
}

/** The highest number that overlap at any moment of a time span, each counted as `weight`. */
export function mostAtOnce<Item extends Timed & { readonly weight: number }>(
  items: readonly Item[],
  from: number,
  until: number,
): number {
  const changes = items
    .filter((item) => item.from < until && item.until > from)
    .flatMap((item) => [
      { at: Math.max(item.from, from), by: item.weight },
      { at: item.until, by: -item.weight },
    ])
    // An entry that ends at an instant makes room for one that begins at it.
    .toSorted((one, other) => one.at - other.at || one.by - other.by);
  let [now, most] = [0, 0];
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
