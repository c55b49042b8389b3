/** Applies the opt-out or opt-in that a customer requests by SMS. */

import { oneLine } from '#base/values/one-line.ts';
import { shorten } from '#base/values/shorten.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type OptOutChange, recordOptOut } from '#product/customers/opt-out.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { kinds } from '#product/sending/kinds.ts';
import { workshopName } from '#product/workshops/store.ts';

/** The time in which an opt-out is confirmed, "within five minutes" (specification: Opting out 3). */
const confirmedWithinMs = kinds.confirmation.waitsAtMostMs;

interface Applied extends OptOutChange {
  readonly messageId: string;
  /** When the word came in; business time. */
  readonly heardAt: Date;
}

/**
 * Records the opt-out or opt-in; if it changes anything and `phone` is a number, queues the SMS that confirms it. An opt-out that
 * came in too long ago is not confirmed any more.
 */
export async function applyOptOut(tx: Queryable, phone: string, change: Applied): Promise<void> {
  if (!(await recordOptOut(tx, change)) || !phone.startsWith('+')) return;
  const { workshopId, customerId, messageId, optedOut, heardAt, now, actor } = change;
  const leftMs = confirmedWithinMs - (optedOut ? now.getTime() - heardAt.getTime() : 0);
  if (leftMs <= 0) return;
  const confirmation = {
    kind: 'confirmation',
    workshopId,
    channel: 'sms',
    audience: 'customer',
    customerId,
    causeId: messageId,
    recipient: phone,
    body: confirmationOf(optedOut, await workshopName(tx, workshopId)),
    waitsAtMostMs: leftMs,
  } as const;
  await enqueue(tx, [confirmation], { now, actor, exemptCountries: [] });
}

function confirmationOf(optedOut: boolean, workshop: string): string {
  const name = shorten(oneLine(workshop), 40);
  return optedOut
    ? `${name}: you will get no more SMS from us. Reply START to get them again.`
    : `${name}: you will get SMS from us again. Reply STOP to end them.`;
}
