/** Removes the bounce mark of a customer's address, so that e-mail is sent to it again. */

import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import { type CustomerRecord, forgetBounce, requireCustomer } from './store.ts';
import { ofCustomer } from './trail.ts';

/** Idempotent. Throws OperatorError when there is no such customer. */
export async function emailAgain(
  context: ChangeContext,
  customerId: string,
  actor: Actor,
): Promise<CustomerRecord> {
  const { db } = context;
  const customer = await requireCustomer(db, customerId);
  await change(context, async ({ tx, now: at }) => {
    await forgetBounce(tx, customer.customerId, at);
    await recordEntry(tx, ofCustomer(customer, actor, 'emailedAgain', at));
  });
  return requireCustomer(db, customer.customerId);
}
