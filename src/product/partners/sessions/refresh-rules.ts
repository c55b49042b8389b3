/** Whether a presented pair is exchanged (specification: Signing in 7). */
import type { PresentedPair } from './store.ts';

export type RefreshDecision = 'exchange' | 'reject' | 'theft';

const repeatWithinMs = 60_000;
const repeatsAtMost = 5;

/**
 * A pair is exchanged when its access token is the newest, or when either of its tokens was never exchanged: two workers that each
 * got a pair by repeating a refresh can both continue. A pair of two used tokens counts as a lost response within 60 seconds: it is
 * exchanged five times and then refused, since many retries are not theft. Later it counts as theft.
 */
export function decideRefresh(pair: PresentedPair, now: Date): RefreshDecision {
  if (pair.revoked || !pair.partnerActive || pair.refreshExpiresAt <= now) return 'reject';
  if (pair.accessIsNewest || !pair.accessExchanged || !pair.refreshExchanged) return 'exchange';
  const isRepeat =
    pair.firstExchangedAt !== null && now.getTime() - pair.firstExchangedAt.getTime() <= repeatWithinMs;
  if (!isRepeat) return 'theft';
  return pair.repeats < repeatsAtMost ? 'exchange' : 'reject';
}
