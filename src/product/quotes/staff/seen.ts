/** The version of a quote that the caller has seen: a change never overwrites a newer one. */

import { Problem } from '#errors.ts';
import type { LockedQuote } from '../change/store.ts';

export interface SeenQuote {
  /** The workshop that the quote must belong to; absent: any. */
  readonly workshopId?: string;
  /** The seen version; absent: any. */
  readonly seen?: number;
}

/** Throws 404 050001 for a quote of another workshop, and 412 000010 for one that has changed. */
export function requireSeen(
  { quote, version }: Pick<LockedQuote, 'quote' | 'version'>,
  { workshopId, seen }: SeenQuote,
): void {
  if (workshopId !== undefined && quote.workshopId !== workshopId) throw new Problem('050001');
  if (seen !== undefined && version !== seen) throw new Problem('000010');
}
