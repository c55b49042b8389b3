/** Stops every SMS to a customer, or allows them again. Senders look at each sending, so it holds at once. */
import type { Clock } from '#clock.ts';
import type { Database, Queryable } from '#db/database.ts';
import { recordEvent } from '#events/record.ts';
import { isId, newId } from '#values/id.ts';
import { unknownCustomer } from './require.ts';
import { type CustomerRecord, changeOptOut, findCustomer } from './store.ts';

export interface OptOutChange {
  readonly customerId: string;
  readonly workshopId: string;
  readonly optedOut: boolean;
  /** The answer by which the customer asked for it; null when staff did it, or the provider told so. */
  readonly messageId: string | null;
  readonly now: Date;
}

/** Opts a customer out or in, with the event, in the caller's transaction; false when it was so before. */
export async function recordOptOut(tx: Queryable, change: OptOutChange): Promise<boolean> {
  const { customerId, workshopId, optedOut, messageId, now } = change;
  if (!(await changeOptOut(tx, customerId, optedOut, now))) return false;
  await recordEvent(tx, {
    id: newId(),
    kind: optedOut ? 'customer.optedOut' : 'customer.optedIn',
    partnerId: null,
    workshopId,
    subjectId: customerId,
    version: 1,
    payload: { customerId, messageId },
    occurredAt: now,
  });
  return true;
}

/** By staff; doing it twice changes nothing further. No SMS confirms it. Throws OperatorError when there is no such customer. */
export async function setOptedOut(
  db: Database,
  clock: Clock,
  customerId: string,
  optedOut: boolean,
): Promise<CustomerRecord> {
  return db.transaction(async (tx) => {
    const customer = isId(customerId) ? await findCustomer(tx, customerId) : null;
    if (!customer) throw unknownCustomer(customerId);
    const { workshopId } = customer;
    const change = { customerId, workshopId, optedOut, messageId: null, now: clock.now() };
    await recordOptOut(tx, change);
    return (await findCustomer(tx, customerId)) ?? customer;
  });
}
