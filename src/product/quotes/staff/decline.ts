/** The workshop itself declines a quote, priced or not. It gets no notice of its own changes. */

import { found, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { declineQuote } from '../decline.ts';
import { statusNow } from '../rules.ts';
import { requireSeen, type SeenQuote } from './seen.ts';

/**
 * Throws OperatorError when it can't be declined any more, and for an unknown id; and what `requireSeen` throws. Declining twice is
 * no error, unless the caller has seen an older version.
 */
export async function declineOwn(
  context: ChangeContext,
  quoteId: string,
  actor: Actor,
  own: SeenQuote = {},
): Promise<void> {
  await change(context, async ({ within, now }) => {
    const result = await declineQuote(within, quoteId, actor, {
      require: (present) => requireSeen(present, own),
    });
    const { declined, quote } = found('quote', quoteId, result);
    if (!declined) throw new OperatorError(`a quote that is ${statusNow(quote, now)} can't be declined`);
  });
}
