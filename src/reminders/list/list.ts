/** GET /reminders/services: a page of a partner's reminders, or of the feed of their changes (areas, section 7). */
import { instantOf } from '#bookings/field.ts';
import type { Context } from '#context.ts';
import { isId } from '#values/id.ts';
import { normaliseString } from '#values/text.ts';
import { listOwn } from '#workshops/access/own-list.ts';
import type { ListRemindersQuery, ServiceReminder } from '../schema.ts';
import { listReminders, type ReminderFilters, readReminderFeed } from './store.ts';

export interface ReminderPage {
  readonly serviceReminders: ServiceReminder[];
  /** Never null in a feed. */
  readonly nextCursor: string | null;
}

/** An id that is none is nobody's. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** Throws 400 000001 for a cursor of another list, 404 030001. */
export async function listOwnReminders(
  { db }: Pick<Context, 'db'>,
  partnerId: string,
  { limit, cursor, updatedSince, ...query }: ListRemindersQuery,
): Promise<ReminderPage> {
  const filters = filtersOf(query);
  const since = updatedSince === undefined ? null : instantOf(updatedSince);
  const workshopId = filters.workshopId ?? null;
  const request = { partnerId, workshopId, limit, cursor, since, filters: { ...filters } };
  const { items, nextCursor } = await listOwn<ServiceReminder>(db, request, {
    list: (after, atMost) => listReminders(db, partnerId, filters, after, atMost),
    feed: (page) => readReminderFeed(db, partnerId, filters, page),
  });
  return { serviceReminders: [...items], nextCursor };
}

function filtersOf({ workshopId, customerId, status, externalId }: ListRemindersQuery): ReminderFilters {
  // In the form in which the compared value was stored; an empty value filters nothing.
  const reference = normaliseString(externalId ?? '') || undefined;
  return {
    ...(workshopId === undefined ? {} : { workshopId: workshopId.toLowerCase() }),
    ...(customerId === undefined ? {} : { customerId: isId(customerId) ? customerId.toLowerCase() : nobody }),
    ...(status === undefined ? {} : { status }),
    ...(reference === undefined ? {} : { externalId: reference }),
  };
}
