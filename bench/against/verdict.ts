/** Which counts grew without a line of `bench/budget.md` that says why. */
import type { Reason } from '../counts/budget.ts';
import { type CountName, type Counts, counted, countNames, type PathName } from '../counts/counts.ts';
import { type Pair, ratio } from './pair.ts';

/** A count that is as many times what it was, or fewer, has not grown. */
const growthAtMost = 1.03;

/** Of `drain`: a worker polls meanwhile, more often the busier the machine is. Its WAL is judged; `npm test` holds the rest, without polls. */
const countedWithPolls: readonly CountName[] = ['statements', 'rows', 'roundTrips'];
const isJudged = (path: PathName, count: CountName) => path !== 'drain' || !countedWithPolls.includes(count);

export interface Growth {
  readonly path: PathName;
  readonly count: CountName;
  readonly counts: Pair<number>;
  readonly times: number;
  /** Those that allow it; empty when nothing does. */
  readonly why: readonly string[];
}

/**
 * What grew by more than 3 %. `reasons` are those that hold beside the commit. They allow as many times as theirs multiplied make;
 * where that is too little, none of them says why.
 */
export function growthOf(path: PathName, costs: Pair<Counts>, reasons: readonly Reason[]): Growth[] {
  return counted
    .filter((count) => isJudged(path, count))
    .flatMap((count) => {
      const counts = { before: costs.before[count], now: costs.now[count] };
      const times = ratio(counts);
      if (times <= growthAtMost) return [];
      const own = reasons.filter((reason) => reason.path === path && reason.count === count);
      const allowed = own.reduce((product, reason) => product * reason.times, growthAtMost);
      const why = times <= allowed && own.length > 0 ? own.map((reason) => reason.why) : [];
      return [{ path, count, counts, times, why }];
    });
}

export const growthLine = ({ path, count, counts, times, why }: Growth): string =>
  `${path}: ${countNames[count]} ${counts.before} → ${counts.now}, ${times.toFixed(2)} times: ${why.length > 0 ? why.join('; ') : '**bench/budget.md does not say why**'}`;
