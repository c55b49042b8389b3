/** Pauses or resumes an automation. Runs that come due while it is paused are skipped, and not sent later. */

import type { Clock } from '#base/clock.ts';
import { foundById } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import type { Database } from '#platform/db/database.ts';
import { type FormOf, requireSeen } from '../seen.ts';
import type { AutomationStatus } from './schema.ts';
import { type AutomationRow, lockAutomation, writeAutomationStatus } from './store.ts';

/** The mark of an automation's state for `FormOf`: nothing but a change of it moves `updatedAt`. */
export const seenOfAutomation = ({ updatedAt }: Pick<AutomationRow, 'updatedAt'>): string =>
  updatedAt.toISOString();

/**
 * Idempotent. `form`: what the page showed from which a person asks. Throws OperatorError when there is no such automation, and as
 * `requireSeen`.
 */
export async function setAutomationStatus(
  db: Database,
  clock: Clock,
  id: string,
  status: AutomationStatus,
  actor: Actor,
  form?: FormOf,
): Promise<AutomationRow> {
  return db.transaction(async (tx) => {
    const at = clock.now();
    const present = await foundById('automation', id, () => lockAutomation(tx, id));
    await requireSeen(tx, form, present, () => seenOfAutomation(present));
    const changed = await foundById('automation', id, () => writeAutomationStatus(tx, id, status, at));
    const { workshopId } = changed;
    const subject = { kind: 'automation', id: changed.id };
    await recordEntry(tx, {
      ...{ actor, workshopId, subject, action: 'automation.changed', at },
      ...{ before: { status: present.status }, after: { status } },
    });
    return changed;
  });
}
