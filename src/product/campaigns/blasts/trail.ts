/** The entries on blasts in the audit trail. */
import type { Actor } from '#base/values/actor.ts';
import type { NewEntry } from '#platform/audit/record.ts';

/** An entry about a blast. `at` is business time. */
export function ofBlast(
  { id, workshopId }: { readonly id: string; readonly workshopId: string },
  actor: Actor,
  done: string,
  at: Date,
): NewEntry {
  return { actor, workshopId, subject: { kind: 'blast', id }, action: `blast.${done}`, at };
}
