/** Applies the opt-out or opt-in that a customer requests by SMS. */

import { oneLine } from '#base/values/one-line.ts';
import { shorten } from '#base/values/shorten.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type OptOutChange, recordOptOut } from '#product/customers/opt-out.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { workshopName } from '#product/workshops/store.ts';

/** Records the opt-out or opt-in; if it changes anything and `phone` is a number, queues the SMS that confirms it. */
export async function applyOptOut(
  tx: Queryable,
  phone: string,
  change: OptOutChange & { readonly messageId: string },
): Promise<void> {
  if (!(await recordOptOut(tx, change)) || !phone.startsWith('+')) return;
  const { workshopId, customerId, messageId, optedOut, now, actor } = change;
  const confirmation = {
    kind: 'confirmation',
    workshopId,
    channel: 'sms',
    audience: 'customer',
    customerId,
    causeId: messageId,
    recipient: phone,
    body: confirmationOf(optedOut, await workshopName(tx, workshopId)),
  } as const;
  await enqueue(tx, [confirmation], { now, actor, exemptCountries: [] });
}

function confirmationOf(optedOut: boolean, workshop: string): string {
  const name = shorten(oneLine(workshop), 40);
  return optedOut
    ? `${name}: you will get no more SMS from us. Reply START to get them again.`
    : `${name}: you will get SMS from us again. Reply STOP to end them.`;
}
