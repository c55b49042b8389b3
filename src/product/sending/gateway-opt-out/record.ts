/** Opts a customer out when the provider refuses an SMS because the customer opted out at the provider. */

import { actors } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { recordOptOut } from '#product/customers/opt-out.ts';
import { recipientOf } from './store.ts';

/** `reference` is our reference of the refused attempt, `now` is business time. Idempotent. */
export async function recordGatewayOptOut(
  db: Database,
  reference: string,
  gateway: string,
  now: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    const recipient = await recipientOf(tx, reference, gateway);
    if (recipient === null) return;
    const change = { ...recipient, optedOut: true, messageId: null, now, actor: actors.gateway };
    await recordOptOut(tx, change);
  });
}
