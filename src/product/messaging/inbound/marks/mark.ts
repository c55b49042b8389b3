/** The marks on a customer's text that staff have to decide: whether it asked for no more texts, and whether it was about a booking. */

import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Queryable } from '#platform/db/database.ts';
import { ofCustomer } from '#product/customers/trail.ts';
import { type Heard, markAsked, markMeant } from './store.ts';

interface By {
  /** Business time. */
  readonly now: Date;
  readonly actor: Actor;
}

/**
 * The text may ask for no more texts (specification: Opting out 8). The caller has locked the customer and stored the text. Nothing
 * where they have opted out already.
 */
export async function askedToStop(tx: Queryable, heard: Heard, { now, actor }: By): Promise<void> {
  const customerId = await markAsked(tx, heard);
  if (customerId === null) return;
  const { workshopId, messageId } = heard;
  await recordEntry(tx, {
    ...ofCustomer({ customerId, workshopId }, actor, 'talkAskedToStop', now),
    after: { messageId },
  });
}

/**
 * An opt-out word that may have been about a booking of the day on which it came in (`heardAt`, business time), if the customer has one
 * (specification: Opting out 7).
 */
export async function mayHaveMeantBooking(
  tx: Queryable,
  heard: Heard,
  { heardAt, now, actor }: By & { readonly heardAt: Date },
): Promise<void> {
  const marked = await markMeant(tx, heard, heardAt);
  if (marked === null) return;
  const { workshopId, messageId } = heard;
  await recordEntry(tx, {
    ...ofCustomer({ customerId: marked.customerId, workshopId }, actor, 'talkMayHaveMeantBooking', now),
    after: { messageId, bookingId: marked.bookingId },
  });
}
