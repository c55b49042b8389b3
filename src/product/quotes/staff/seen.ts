/** What whoever changes a quote at the workshop has seen of it: a change goes over nothing else. */

import { Problem } from '#errors.ts';
import type { LockedQuote } from '../change/store.ts';

export interface SeenQuote {
  /** The workshop that it has to be of; absent: any. */
  readonly workshopId?: string;
  /** Its version then; absent: whatever it is. */
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
