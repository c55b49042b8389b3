/** Measures the API and its limits in alternation, and takes the median round of each. */
import type { Rate } from './limit.ts';
import type { Row } from './report.ts';

export interface Peer {
  readonly name: string;
  readonly run: () => Promise<Rate>;
}

export const say = (text: string) => process.stderr.write(`${text}\n`);

/** The round with the median rate. */
function median<T extends Rate>(found: readonly T[]): T {
  const sorted = [...found].sort((a, b) => a.perSecond - b.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

/** Runs all in alternation, so that other load on the machine affects all of them. A row for each peer. */
export async function beside(
  rounds: number,
  name: string,
  api: () => Promise<Rate>,
  peers: readonly Peer[],
): Promise<Row[]> {
  say(`${name} …`);
  const apiRates: Rate[] = [];
  const limits = peers.map((peer) => ({ ...peer, rates: [] as Rate[] }));
  for (let round = 0; round < rounds; round++) {
    for (const limit of limits) limit.rates.push(await limit.run());
    apiRates.push(await api());
  }
  return limits.map((limit) => ({
    name,
    limitName: limit.name,
    api: median(apiRates),
    limit: median(limit.rates),
  }));
}
