/**
 * Where the readers of a queue begin. Rows that are done stand before those that wait, and while a long snapshot is open, such as a
 * backup's, vacuum can't remove them: a reader that begins at the first row passes all of them each time. So most scans begin at the
 * oldest row that the last one found, or half a minute ago; a full one, now and then, finds what was committed later than that.
 */
import { elapsedMs } from '#base/clock.ts';

export interface Scan {
  /** It begins at the first row. */
  readonly isFull: boolean;
  /** The oldest row that the last scan found, in the queue's order; null: none. */
  readonly oldest: string | null;
}

export interface ScanWindow {
  next(): Scan;
  /** The scan found these rows, or none: then `oldest` is null. Not called when it failed. */
  found(oldest: string | null): void;
}

export const fullScan: Scan = { isFull: true, oldest: null };

const fullEveryMs = 5_000;
/** The share of its time that a reader spends on full scans, as a divisor. */
const fullShare = 20;

/** The scans of one reader in this process. The first is full. */
export function createScanWindow(now: () => number = elapsedMs): ScanWindow {
  let oldest: string | null = null;
  let isFull = true;
  let begunMs = 0;
  let fullAgainMs = Number.NEGATIVE_INFINITY;
  return {
    next() {
      begunMs = now();
      isFull = begunMs >= fullAgainMs;
      return { isFull, oldest };
    },
    found(its) {
      oldest = its;
      const endedMs = now();
      if (isFull) fullAgainMs = endedMs + Math.max(fullEveryMs, fullShare * (endedMs - begunMs));
    },
  };
}

/**
 * An SQL expression: where a look begins. `isFull` and `oldest` are parameters; `first` is the least value of the queue's order, and
 * `at` makes a value of it from a time.
 */
export const scanFrom = (
  parameters: { readonly isFull: string; readonly oldest: string },
  { first, at }: { readonly first: string; readonly at: (time: string) => string },
): string =>
  `(SELECT CASE WHEN ${parameters.isFull}::boolean THEN ${first}
    ELSE least(${at(`clock_timestamp() - interval '30 seconds'`)}, ${parameters.oldest}) END)`;

/** The same of a queue in the order of a time. */
export const scanFromTime = (isFull: string, oldest: string): string =>
  scanFrom(
    { isFull, oldest: `${oldest}::timestamptz` },
    { first: `'-infinity'::timestamptz`, at: (time) => time },
  );
