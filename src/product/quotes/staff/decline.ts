/** The workshop itself declines a quote, priced or not. It gets no notice of its own changes. */

import { found, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import { declineQuote } from '../decline.ts';

/** Throws OperatorError when it can't be declined any more, and for an unknown id. Declined twice is no error. */
export async function declineOwn(
  context: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  quoteId: string,
  actor: Actor,
): Promise<void> {
  const result = found('quote', quoteId, await declineQuote(context, quoteId, actor));
  if (!result.declined) throw new OperatorError(`a quote that is ${result.quote.status} can't be declined`);
}
