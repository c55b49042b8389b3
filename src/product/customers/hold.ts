/** Locks a customer whom staff change. */
import { foundById } from '#base/operator-error.ts';
import { isId } from '#base/values/id.ts';
import { Problem } from '#errors.ts';
import type { Queryable } from '#platform/db/database.ts';
import { lockCustomers } from './merged/store.ts';
import { type CustomerRecord, findCustomer } from './store.ts';

/**
 * Locks the customer with all merged rows until the transaction ends. `seen` is the version that the caller has seen; absent: any. Throws 404 040001
 * for a customer that is not the workshop's, OperatorError without a workshop when there is no such customer, and 412 000010 when
 * they have changed since.
 */
export async function holdCustomer(
  tx: Queryable,
  workshopId: string | null,
  customerId: string,
  seen?: number,
): Promise<CustomerRecord> {
  const read = async () => {
    await lockCustomers(tx, [customerId]);
    return findCustomer(tx, customerId);
  };
  if (workshopId === null) return foundById('customer', customerId, read);
  const customer = isId(customerId) ? await read() : null;
  if (customer?.workshopId !== workshopId) throw new Problem('040001');
  if (seen !== undefined && seen !== customer.version) throw new Problem('000010');
  return customer;
}
