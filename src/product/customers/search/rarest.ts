/**
 * A search of several words starts with the rarest: its customers are checked for the other words, instead of reading the matches
 * of every word.
 */
import type { Probe } from './asked.ts';
import type { CountOfWord } from './counted/store.ts';

/** If a word has more terms than this, reading the other words' matches is faster than checking each customer. */
export const rareAtMost = 1_000;

const isSought = ({ isCheck, low }: Probe) => !isCheck && low !== null;

/** The prefixes to count, if there are several words. Empty: there is nothing to choose. */
export function beginningsOfSeveral(probes: readonly Probe[]): Probe[] {
  const sought = probes.filter(isSought);
  return sought.filter(({ way, word }) => sought.some((other) => other.way === way && other.word !== word));
}

/**
 * The probes to search by: for a way with a rare word only that word, with the others to check; a way with a word that matches
 * nothing is left out. Null: no way has a rare word. Substrings are not included: they are searched when prefixes find nobody.
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
