/** Opts a customer out when the provider refuses an SMS because the customer opted out at the provider. */

import { actors } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { recordOptOut } from '#product/customers/opt-out.ts';
import { recipientOf } from './store.ts';

/** `reference` is our reference of the refused attempt. Idempotent. */
export async function recordGatewayOptOut(
  context: ChangeContext,
  reference: string,
  gateway: string,
): Promise<void> {
  await change(context, async ({ tx, now }) => {
    const recipient = await recipientOf(tx, reference, gateway);
    if (recipient === null) return;
    const change = { ...recipient, optedOut: true, messageId: null, now, actor: actors.gateway };
    await recordOptOut(tx, change);
  });
}
