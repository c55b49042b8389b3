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
