/** What the audit trail says of changes of customers by staff. */
import type { Actor } from '#base/values/actor.ts';
import type { NewEntry } from '#platform/audit/record.ts';

/** An entry on a customer. `at` is business time. */
export function ofCustomer(
  { customerId, workshopId }: { readonly customerId: string; readonly workshopId: string },
  actor: Actor,
  done: string,
  at: Date,
): NewEntry {
  const subject = { kind: 'customer', id: customerId };
  return { actor, workshopId, subject, action: `customer.${done}`, at };
}
