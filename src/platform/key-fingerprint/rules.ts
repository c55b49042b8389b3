/** Decides whether a process may work on a database with its secret key. */
import type { KeyFingerprints } from '#base/secret-key.ts';

/**
 * `unknown`: the database names no key yet. `current`: it names this one. `successor`: this one's former keys hold the one that it names.
 * `former`: it names this one as a former key of its own. `other`: none of these. `absent`: there is no key here.
 */
export type KeyState = 'unknown' | 'current' | 'successor' | 'former' | 'other' | 'absent';

/**
 * Judges the keys of a process by those that the database names. While a key is changed both kinds of processes run, and either may be
 * started again: the successor takes over, and names the key before as its former one, by which that is still let in.
 */
export function judgeKey(named: KeyFingerprints | null, own: KeyFingerprints | null): KeyState {
  if (own === null) return 'absent';
  if (named === null) return 'unknown';
  if (own.current === named.current) return 'current';
  // Before the next: a key that is taken back has the one after it among its former ones, and each names the other.
  if (own.former.includes(named.current)) return 'successor';
  return named.former.includes(own.current) ? 'former' : 'other';
}

/** A fingerprint as people compare it. */
export const shortFingerprint = (fingerprint: string) => fingerprint.slice(0, 8);
