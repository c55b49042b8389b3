/** Pauses or resumes an automation. Runs that come due while it is paused are skipped, and not sent later. */

import { foundById } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
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
  context: ChangeContext,
  id: string,
  status: AutomationStatus,
  actor: Actor,
  form?: FormOf,
): Promise<AutomationRow> {
  return change(context, async ({ tx, now: at }) => {
    const present = await foundById('automation', id, () => lockAutomation(tx, id));
    await requireSeen(form, present, () => seenOfAutomation(present));
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
