/** The entries on templates in the audit trail. */
import type { Actor } from '#base/values/actor.ts';
import type { NewEntry } from '#platform/audit/record.ts';

/** An entry about a template. `at` is business time. */
export function ofTemplate(
  { id, workshopId }: { readonly id: string; readonly workshopId: string },
  actor: Actor,
  done: string,
  at: Date,
): NewEntry {
  return { actor, workshopId, subject: { kind: 'template', id }, action: `template.${done}`, at };
}
