/** GET /reminders/services: a page of a partner's reminders, or of the feed of their changes (areas, section 7). */
import type { Context } from '#context.ts';
import { commonFilters } from '#http/list-filters.ts';
import { idOr, nilId } from '#values/id.ts';
import { listOwn } from '#workshops/access/own-list.ts';
import type { ListRemindersQuery, ServiceReminder } from '../schema.ts';
import { reminderRows } from './store.ts';

export interface ReminderPage {
  readonly serviceReminders: ServiceReminder[];
  /** Never null in a feed. */
  readonly nextCursor: string | null;
}

/** Throws 400 000001 for a cursor of another list, 404 030001. */
export async function listOwnReminders(
  context: Pick<Context, 'db' | 'sealing'>,
  partnerId: string,
  query: ListRemindersQuery,
): Promise<ReminderPage> {
  const { customerId, status } = query;
  const filters = {
    ...commonFilters(query),
    ...(customerId === undefined ? {} : { customerId: idOr(customerId, nilId).toLowerCase() }),
    ...(status === undefined ? {} : { status }),
  };
  const { items, nextCursor } = await listOwn(context, reminderRows, partnerId, query, filters);
  return { serviceReminders: items, nextCursor };
}
