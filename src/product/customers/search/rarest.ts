/** Several words by the rarest: who has it is looked up for the others, instead of fetching all who have each. */
import type { Probe } from './asked.ts';
import type { CountOfWord } from './found/store.ts';

/** Of a word with more terms, fetching the other words' as well takes less than a look-up for each. */
export const rareAtMost = 1_000;

const isSought = ({ isCheck, low }: Probe) => !isCheck && low !== null;

/** The beginnings of words that are to be counted: of more than one. Empty: there is nothing to choose. */
export function beginningsOfSeveral(probes: readonly Probe[]): Probe[] {
  const sought = probes.filter(isSought);
  return sought.filter(({ way, word }) => sought.some((other) => other.way === way && other.word !== word));
}

/**
 * The beginnings to find by: of a way with a rare word that one is sought, and the others are checked; a way with a word that nothing begins
 * with is left out. Null: no way has a rare word. Parts of words are not among them: they count where nobody is found by beginnings.
 */
export function rarestFirst(probes: readonly Probe[], counts: readonly CountOfWord[]): Probe[] | null {
  const rarest = new Map<number, CountOfWord>();
  for (const counted of counts)
    if (counted.count < (rarest.get(counted.way)?.count ?? rareAtMost)) rarest.set(counted.way, counted);
  if (rarest.size === 0) return null;
  return probes.flatMap((probe) => {
    const rare = rarest.get(probe.way);
    if (probe.low === null || rare?.count === 0) return [];
    return [rare === undefined || probe.word === rare.word ? probe : { ...probe, isCheck: true }];
  });
}
