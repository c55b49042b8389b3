/** The entries on customers in the audit trail, for changes by staff. */
import type { Actor } from '#base/values/actor.ts';
import type { NewEntry } from '#platform/audit/record.ts';

/** An entry about a customer. `at` is business time. */
export function ofCustomer(
  { customerId, workshopId }: { readonly customerId: string; readonly workshopId: string },
  actor: Actor,
  done: string,
  at: Date,
): NewEntry {
  const subject = { kind: 'customer', id: customerId };
  return { actor, workshopId, subject, action: `customer.${done}`, at };
}
