/** The known name that was most likely meant by an unknown one. */
import { distance } from 'fastest-levenshtein';

/** No name of ours is nearly as long; what callers send may be. */
const longest = 100;

/** Letters and digits in small letters: `customer_phone` and `customerPhone` are one. */
export const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The letters that differ; two that changed places count as one. */
function faultsOf(one: string, other: string): number {
  const letters = distance(one, other);
  return letters === 2 && one.length === other.length && sorted(one) === sorted(other) ? 1 : letters;
}

const sorted = (text: string) => [...text].sort().join('');

/**
 * The one of `known` that is most like `name`; null when none is: a name that differs in more than a quarter of its letters is another
 * word. `coreOf` gives what is compared of each.
 */
export function nearestName(
  name: string,
  known: readonly string[],
  coreOf: (name: string) => string = lettersOf,
): string | null {
  const core = name.length <= longest ? coreOf(name) : '';
  let nearest: string | null = null;
  let fewest = core.length / 4;
  for (const each of known) {
    if (core === '' || each.length > longest) continue;
    const letters = faultsOf(core, coreOf(each));
    if (letters < fewest || (nearest === null && letters === fewest)) [nearest, fewest] = [each, letters];
  }
  return nearest;
}
