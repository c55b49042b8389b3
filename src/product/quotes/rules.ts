/** Pure decisions about quotes: which transitions are permitted (specification: Quotes 3). */
import type { QuoteStatus } from './schema.ts';

/** A quote that is priced again stays `quoted`. */
const transitions: Readonly<Record<QuoteStatus, readonly QuoteStatus[]>> = {
  requested: ['quoted', 'declined'],
  quoted: ['quoted', 'accepted', 'declined', 'expired'],
  accepted: [],
  declined: [],
  expired: [],
};

export function isPermitted(from: QuoteStatus, to: QuoteStatus): boolean {
  return transitions[from].includes(to);
}

/** The present status of a quote, also when the sweep has not expired it yet. */
export const statusNow = (quote: Parameters<typeof isOver>[0], now: Date): QuoteStatus =>
  isOver(quote, now) ? 'expired' : quote.status;

/** Whether a quote has expired although the sweep has not run yet. */
export function isOver(
  quote: { readonly status: QuoteStatus; readonly validUntil: string | null },
  now: Date,
): boolean {
  return quote.status === 'quoted' && quote.validUntil !== null && new Date(quote.validUntil) <= now;
}
