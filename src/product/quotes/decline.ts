/** Declines a quote: the customer on their page, of which the workshop is notified, or the workshop itself. */

import { type Actor, isWorkshopItself } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { actorValues } from '#platform/events/record.ts';
import { type LockedQuote, lockQuote, writeDecline } from './change/store.ts';
import { isOver, isPermitted } from './rules.ts';
import type { Quote } from './schema.ts';
import type { QuoteVersion } from './store.ts';

/** `declined` now or earlier; otherwise the quote's status says why not: still `quoted` means that it was priced again. */
export interface Decline {
  readonly declined: boolean;
  readonly quote: Quote;
  /** Present where this call has declined it. */
  readonly written?: QuoteVersion;
}

export interface DeclineOptions {
  /** The version that the caller has seen; absent: any. */
  readonly seen?: number | undefined;
  /** Called with the locked quote before anything is decided; its error is thrown. */
  readonly require?: (present: LockedQuote) => void;
}

/** Null when there is no such quote. A customer can decline only a priced quote. */
export async function declineQuote(
  context: ChangeContext,
  quoteId: string,
  actor: Actor,
  { seen, require }: DeclineOptions = {},
): Promise<Decline | null> {
  return change(context, async ({ tx, now }) => {
    const present = await lockQuote(tx, quoteId);
    if (present === null) return null;
    require?.(present);
    if (present.quote.status === 'declined') return { declined: true, quote: present.quote };
    if (!mayDecline(present, actor, now) || present.version !== (seen ?? present.version))
      return { declined: false, quote: present.quote };
    const notifyWorkshop = !isWorkshopItself(actor);
    const written = await writeDecline(tx, {
      ...{ quoteId, notifyWorkshop, now, ...actorValues(actor) },
      previousStatus: present.quote.status,
    });
    return { declined: true, quote: written.quote, written };
  });
}

function mayDecline({ quote }: LockedQuote, actor: Actor, now: Date): boolean {
  if (!isWorkshopItself(actor) && quote.status === 'requested') return false;
  return isPermitted(quote.status, 'declined') && !isOver(quote, now);
}
