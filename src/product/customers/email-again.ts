/** Removes the bounce mark of a customer's address, so that e-mail is sent to it again. */

import type { Clock } from '#base/clock.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import { type CustomerRecord, forgetBounce, requireCustomer } from './store.ts';
import { ofCustomer } from './trail.ts';

/** Idempotent. Throws OperatorError when there is no such customer. */
export async function emailAgain(
  db: Database,
  clock: Clock,
  customerId: string,
  actor: Actor,
): Promise<CustomerRecord> {
  const customer = await requireCustomer(db, customerId);
  const at = clock.now();
  await db.transaction(async (tx) => {
    await forgetBounce(tx, customer.customerId, at);
    await recordEntry(tx, ofCustomer(customer, actor, 'emailedAgain', at));
  });
  return requireCustomer(db, customer.customerId);
}
