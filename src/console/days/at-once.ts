/** How many are there at once. */

export interface Timed {
  /** Milliseconds. */
  readonly from: number;
  readonly until: number;
}

/** The most of them at once in any moment of a time, each counted as `weight`. */
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
    // What ends at an instant makes room for what begins at it.
    .toSorted((one, other) => one.at - other.at || one.by - other.by);
  let [now, most] = [0, 0];
  for (const { by } of changes) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}
