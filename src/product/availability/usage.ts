/** The usage of bookings on some days: how many occupy bays at any time, and how many count under a limit. */

/** How many occupied ranges begin, or end, at an instant (milliseconds). */
export type Tally = readonly [instant: number, bookings: number];

export interface UsageRows {
  readonly begins: readonly Tally[];
  readonly ends: readonly Tally[];
  /** How many bookings of a local date count under the limit `key`, possibly in several rows. */
  readonly booked: readonly { readonly date: string; readonly key: string; readonly bookings: number }[];
}

export interface Usage {
  /** How many bookings overlap the time from `start` to before `end`. */
  overlapping(start: number, end: number): number;
  /** How many bookings of a local date count under the limit `key`. */
  counted(date: string, key: string): number;
}

export const nothingUsed: UsageRows = { begins: [], ends: [], booked: [] };

/** Built once from all rows, at the cost of sorting them; each query takes logarithmic time. */
export function usageOf({ begins, ends, booked }: UsageRows): Usage {
  const begunBefore = countBefore(begins);
  const endedBefore = countBefore(ends);
  const counted = new Map<string, number>();
  for (const { date, key, bookings } of booked) {
    const name = `${date} ${key}`;
    counted.set(name, (counted.get(name) ?? 0) + bookings);
  }
  return {
    // Bookings that had ended by `start` are among those that began before `end`.
    overlapping: (start, end) => begunBefore(end) - endedBefore(start + 1),
    counted: (date, key) => counted.get(`${date} ${key}`) ?? 0,
  };
}

/** A function that sums the tallies before an instant. */
function countBefore(tallies: readonly Tally[]): (instant: number) => number {
  const sorted = tallies.toSorted((a, b) => a[0] - b[0]);
  const instants = new Float64Array(sorted.length);
  const sums = new Float64Array(sorted.length + 1);
  for (const [n, [instant, bookings]] of sorted.entries()) {
    instants[n] = instant;
    sums[n + 1] = (sums[n] as number) + bookings;
  }
  return (instant) => {
    let low = 0;
    let high = instants.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((instants[middle] as number) < instant) low = middle + 1;
      else high = middle;
    }
    return sums[low] as number;
  };
}
