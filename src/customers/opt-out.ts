/** Stops every SMS to a customer, or allows them again. Senders look at each sending, so it holds at once. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import { isId } from '#values/id.ts';
import { unknownCustomer } from './require.ts';
import { type CustomerRecord, optIn, optOut } from './store.ts';

/** Doing it twice changes nothing further. Throws OperatorError when there is no such customer. */
export async function setOptedOut(
  db: Queryable,
  clock: Clock,
  customerId: string,
  optedOut: boolean,
): Promise<CustomerRecord> {
  const set = optedOut ? optOut : optIn;
  const customer = isId(customerId) ? await set(db, customerId, clock.now()) : null;
  if (!customer) throw unknownCustomer(customerId);
  return customer;
}
