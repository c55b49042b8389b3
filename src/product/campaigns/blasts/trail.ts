/** The entries on blasts in the audit trail. */
import type { Actor } from '#base/values/actor.ts';
import { latestEntry, type TrailEntry } from '#platform/audit/read/store.ts';
import type { NewEntry } from '#platform/audit/record.ts';
import type { Queryable } from '#platform/db/database.ts';

interface Which {
  readonly id: string;
  readonly workshopId: string;
}

/** An entry about a blast. `at` is business time. */
export function ofBlast({ id, workshopId }: Which, actor: Actor, done: string, at: Date): NewEntry {
  return { actor, workshopId, subject: { kind: 'blast', id }, action: `blast.${done}`, at };
}

/** The actions of people, partners or a fault on a blast; without the beginning and the end of sending. */
const changes: readonly string[] = ['blast.created', 'blast.triggered', 'blast.changed'];
export const isChange = ({ action }: Pick<TrailEntry, 'action'>): boolean => changes.includes(action);

/** The id of the entry of a blast's newest change; empty: it was deleted. */
export async function newestChange(db: Queryable, { id, workshopId }: Which): Promise<string> {
  const entry = await latestEntry(db, { workshopId, subjectId: id, actions: changes });
  return entry?.id ?? '';
}
