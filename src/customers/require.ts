/** Customers by the id that an operator typed. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { type CustomerRecord, findCustomer } from './store.ts';

export function unknownCustomer(customerId: string): OperatorError {
  return new OperatorError(`there is no customer ${customerId} (pitlane customer list shows them)`);
}

/** Throws OperatorError when there is no such customer. */
export async function requireCustomer(db: Queryable, customerId: string): Promise<CustomerRecord> {
  const customer = isId(customerId) ? await findCustomer(db, customerId) : null;
  if (!customer) throw unknownCustomer(customerId);
  return customer;
}
