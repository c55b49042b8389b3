/** The entries on partners in the audit trail. */
import type { Actor } from '#base/values/actor.ts';
import type { NewEntry } from '#platform/audit/record.ts';

/** An entry about a partner, without a workshop. `at` is business time. */
export function ofPartner(actor: Actor, partnerId: string, done: string, at: Date): NewEntry {
  const subject = { kind: 'partner', id: partnerId };
  return { actor, workshopId: null, partnerId, subject, action: `partner.${done}`, at };
}
