/** Opens a quote by the code of its page; a wrong code counts as a guess. */

import { readCode } from '#base/values/code.ts';
import type { Context } from '#platform/context.ts';
import { boundedGuess } from '#platform/pages/guesses.ts';
import { isOver } from '../rules.ts';
import type { Quote } from '../schema.ts';
import { findPageQuote, type PageQuote } from './store.ts';

export interface OpenedQuote extends PageQuote {
  /** Whether it can be accepted or declined now. */
  readonly isOffer: boolean;
}

/** Throws 404 and 429. */
export async function openQuote(
  context: Pick<Context, 'db' | 'clock'>,
  typed: string,
  address: string,
): Promise<OpenedQuote> {
  const code = readCode(typed);
  const found = await boundedGuess(context, { of: 'quote', address }, () => findPageQuote(context.db, code));
  const over = isOver(found.quote, context.clock.now());
  const quote = over ? { ...found.quote, status: 'expired' as const } : found.quote;
  return { ...found, quote, isOffer: quote.status === 'quoted' };
}

export const pathOf = ({ quote }: { readonly quote: Pick<Quote, 'code'> }) => `/q/${quote.code}`;
