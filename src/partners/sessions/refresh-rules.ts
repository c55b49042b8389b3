/** Whether a presented pair is exchanged (decisions, section 3: Refresh). */
import type { PresentedPair } from './store.ts';

export type RefreshDecision = 'exchange' | 'reject' | 'theft';

const repeatWithinMs = 60_000;
const repeatsAtMost = 5;

/**
 * A pair is good when its access token is the newest, or when either half was never exchanged: two workers that were
 * given a pair each by the rule of repeats both go on. A pair of two spent halves is a lost response within 60
 * seconds, and theft after that.
 */
export function decideRefresh(pair: PresentedPair, now: Date): RefreshDecision {
  if (pair.revoked || !pair.partnerActive || pair.refreshExpiresAt <= now) return 'reject';
  if (pair.accessIsNewest || !pair.accessExchanged || !pair.refreshExchanged) return 'exchange';
  const isRepeat =
    pair.firstExchangedAt !== null &&
    now.getTime() - pair.firstExchangedAt.getTime() <= repeatWithinMs &&
    pair.repeats < repeatsAtMost;
  return isRepeat ? 'exchange' : 'theft';
}
