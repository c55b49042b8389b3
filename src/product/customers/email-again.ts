/** Sends e-mail to a customer's address again, although one came back: somebody knows that it works now. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { type CustomerRecord, forgetBounce, requireCustomer } from './store.ts';

/** Idempotent. Throws OperatorError when there is no such customer. */
export async function emailAgain(db: Database, clock: Clock, customerId: string): Promise<CustomerRecord> {
  const { customerId: id } = await requireCustomer(db, customerId);
  await forgetBounce(db, id, clock.now());
  return requireCustomer(db, id);
}
