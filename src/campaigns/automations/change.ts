/** Pauses an automation, or resumes it. What comes due while it is paused is skipped, and is not made up for. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import type { AutomationStatus } from './schema.ts';
import { type AutomationRow, findAutomation, writeAutomationStatus } from './store.ts';

const unknown = (id: string) =>
  new OperatorError(`there is no automation ${id} (pitlane automation list shows them)`);

/** Throws OperatorError when there is no such automation. */
export async function requireAutomation(db: Queryable, id: string): Promise<AutomationRow> {
  const automation = isId(id) ? await findAutomation(db, null, id) : null;
  if (automation === null) throw unknown(id);
  return automation;
}

/** Idempotent. Throws OperatorError when there is no such automation. */
export async function setAutomationStatus(
  db: Queryable,
  clock: Clock,
  id: string,
  status: AutomationStatus,
): Promise<AutomationRow> {
  const automation = isId(id) ? await writeAutomationStatus(db, id, status, clock.now()) : null;
  if (automation === null) throw unknown(id);
  return automation;
}
