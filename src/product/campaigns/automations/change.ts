/** Pauses an automation, or resumes it. What comes due while it is paused is skipped, and is not made up for. */
import type { Clock } from '#base/clock.ts';
import { foundById } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import type { AutomationStatus } from './schema.ts';
import { type AutomationRow, writeAutomationStatus } from './store.ts';

/** Idempotent. Throws OperatorError when there is no such automation. */
export async function setAutomationStatus(
  db: Queryable,
  clock: Clock,
  id: string,
  status: AutomationStatus,
): Promise<AutomationRow> {
  return foundById('automation', id, () => writeAutomationStatus(db, id, status, clock.now()));
}
