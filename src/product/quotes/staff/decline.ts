/** The workshop itself declines a quote, priced or not. It gets no notice of its own changes. */

import { found, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { declineQuote } from '../decline.ts';
import { statusNow } from '../rules.ts';
import type { QuoteVersion } from '../store.ts';
import { requireSeen, type SeenQuote } from './seen.ts';

export interface OwnDecline extends SeenQuote {
  /** Not called when it was declined before. */
  readonly alongside?: Alongside<QuoteVersion>;
}

/**
 * Throws OperatorError when it can't be declined any more, and for an unknown id; and what `requireSeen` throws. Declining twice is
 * no error, unless the caller has seen an older version.
 */
export async function declineOwn(
  context: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  quoteId: string,
  actor: Actor,
  { alongside, ...own }: OwnDecline = {},
): Promise<void> {
  const result = await declineQuote(context, quoteId, actor, {
    ...(alongside && { alongside }),
    require: (present) => requireSeen(present, own),
  });
  const { declined, quote } = found('quote', quoteId, result);
  if (!declined)
    throw new OperatorError(`a quote that is ${statusNow(quote, context.clock.now())} can't be declined`);
}
