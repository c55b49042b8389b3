/** Declines a quote: the customer on their page, of which the workshop is notified, or the workshop itself. */

import { type Actor, isWorkshopItself } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { actorValues } from '#platform/events/record.ts';
import { type LockedQuote, lockQuote, writeDecline } from './change/store.ts';
import { isOver, isPermitted } from './rules.ts';
import type { Quote } from './schema.ts';
import type { QuoteVersion } from './store.ts';

/** `declined` now or earlier; otherwise the quote's status says why not: still `quoted` means that it was priced again. */
export type Decline = { readonly declined: boolean; readonly quote: Quote };

export interface DeclineOptions {
  /** The version that the caller has seen; absent: any. */
  readonly seen?: number | undefined;
  /** Not called when nothing changes. */
  readonly alongside?: Alongside<QuoteVersion>;
  /** Called with the locked quote before anything is decided; its error is thrown. */
  readonly require?: (present: LockedQuote) => void;
}

/** Null when there is no such quote. A customer can decline only a priced quote. */
export async function declineQuote(
  { db, clock, nudgeRelay }: Pick<Context, 'db' | 'clock' | 'nudgeRelay'>,
  quoteId: string,
  actor: Actor,
  { seen, alongside, require }: DeclineOptions = {},
): Promise<Decline | null> {
  const result = await db.transaction(async (tx) => {
    const present = await lockQuote(tx, quoteId);
    if (present === null) return null;
    require?.(present);
    const now = clock.now();
    if (present.quote.status === 'declined') return { declined: true, quote: present.quote };
    if (!mayDecline(present, actor, now) || present.version !== (seen ?? present.version))
      return { declined: false, quote: present.quote };
    const notifyWorkshop = !isWorkshopItself(actor);
    const written = await writeDecline(tx, {
      ...{ quoteId, notifyWorkshop, now, ...actorValues(actor) },
      previousStatus: present.quote.status,
    });
    await alongside?.(tx, written);
    return { declined: true, quote: written.quote };
  });
  nudgeRelay();
  return result;
}

function mayDecline({ quote }: LockedQuote, actor: Actor, now: Date): boolean {
  if (!isWorkshopItself(actor) && quote.status === 'requested') return false;
  return isPermitted(quote.status, 'declined') && !isOver(quote, now);
}
