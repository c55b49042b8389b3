/** Finds service reminders for staff: one by its id or code, or those of a workshop. */
import type { Queryable } from '#db/database.ts';
import type { FieldError } from '#errors.ts';
import { found, InvalidInput } from '#operator-error.ts';
import { readCode } from '#values/code.ts';
import { isId } from '#values/id.ts';
import { requireWorkshop } from '#workshops/store.ts';
import { reminderStatuses } from '../schema.ts';
import { findWorkshopReminder, type WorkshopReminder, type WorkshopReminders } from './store.ts';

/** Throws OperatorError when there is no such reminder. */
export async function requireReminder(db: Queryable, idOrCode: string): Promise<WorkshopReminder> {
  const reminder = await findWorkshopReminder(
    db,
    isId(idOrCode) ? { id: idOrCode } : { code: readCode(idOrCode) },
  );
  return found('reminder', idOrCode, reminder);
}

/** As typed. */
export interface ReminderSearch {
  readonly workshop: string;
  readonly partner?: string;
  readonly customer?: string;
  readonly status?: string;
}

/** Throws InvalidInput that names every bad option, OperatorError when there is no such workshop. */
export async function readReminderSearch(db: Queryable, search: ReminderSearch): Promise<WorkshopReminders> {
  const { workshopId } = await requireWorkshop(db, search.workshop);
  const { partner: partnerId = null, customer: customerId = null } = search;
  const errors: FieldError[] = Object.entries({ partner: partnerId, customer: customerId })
    .filter(([, id]) => id !== null && !isId(id))
    .map(([field]) => ({ field, message: 'is not an id' }));
  const statuses = reminderStatuses.filter((status) => (search.status ?? status) === status);
  if (statuses.length === 0) {
    errors.push({ field: 'status', message: `must be one of ${reminderStatuses.join(', ')}` });
  }
  if (errors.length > 0) throw new InvalidInput(errors);
  return { workshopId, partnerId, customerId, statuses };
}
