/** SQL of a partner's reminders: the list, newest first, and the feed of changes. */

import { reminderJson } from '#bookings/reminder-code/snapshot.ts';
import type { Queryable } from '#db/database.ts';
import { filterParameters, lastId, newestIds } from '#feed/list/store.ts';
import { type FeedPage, type FeedPosition, feedText, readFeed } from '#feed/store.ts';
import { type ReminderStatus, reminderStatuses, type ServiceReminder } from '../schema.ts';

/** The filters of a list; an absent one filters nothing. */
export interface ReminderFilters {
  readonly workshopId?: string;
  readonly customerId?: string;
  readonly status?: ReminderStatus;
  readonly externalId?: string;
}

const columns = {
  workshopId: { type: 'uuid', is: (value: string) => `row.workshop_id = ${value}` },
  customerId: { type: 'uuid', is: (value: string) => `row.customer_id = ${value}` },
  externalId: { type: 'text', is: (value: string) => `row.external_id = ${value}` },
} as const;
const statusesOf = ({ status }: ReminderFilters) => (status === undefined ? reminderStatuses : [status]);

interface Text {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Exported for tests that read its plan. */
export function reminderListStatement(
  partnerId: string,
  filters: ReminderFilters,
  after: string | null,
  limit: number,
): Text {
  const { conditions, values } = filterParameters(columns, filters, 5);
  const own = ['row.partner_id = $1::uuid', 'row.status = ANY ($2::text[])', 'row.id < $3::uuid'];
  const byFew = filters.externalId !== undefined || filters.customerId !== undefined;
  const ids = byFew
    ? `SELECT row.id FROM service_reminder AS row WHERE ${[...own, ...conditions].join(' AND ')}`
    : newestIds('service_reminder', conditions);
  const text = `SELECT page.id, own.item
    FROM (SELECT id FROM (${ids}) AS found ORDER BY id DESC LIMIT $4::integer) AS page
   CROSS JOIN LATERAL (SELECT ${reminderJson('r')} AS item FROM service_reminder r WHERE r.id = page.id LIMIT 1) AS own
   ORDER BY page.id DESC`;
  return { text, values: [partnerId, statusesOf(filters), after ?? lastId, limit, ...values] };
}

/** The partner's reminders, newest first: `limit` of those before the id `after`. */
export function listReminders(
  db: Queryable,
  partnerId: string,
  filters: ReminderFilters,
  after: string | null,
  limit: number,
): Promise<{ readonly id: string; readonly item: ServiceReminder }[]> {
  const { text, values } = reminderListStatement(partnerId, filters, after, limit);
  return db.query(text, values);
}

/** Exported for tests that read its plan. */
export function reminderFeedText(filters: ReminderFilters): Text {
  const { conditions, values } = filterParameters(columns, filters, 8);
  const text = feedText({
    table: 'service_reminder',
    tenant: 'row.partner_id = $6::uuid',
    matches: ['row.status = ANY ($7::text[])', ...conditions].join(' AND '),
    item: reminderJson('row'),
    joins: '',
  });
  return { text, values: [statusesOf(filters), ...values] };
}

/** The partner's reminders that have changed since, in the order in which the changes became visible. */
export function readReminderFeed(
  db: Queryable,
  partnerId: string,
  filters: ReminderFilters,
  page: { readonly since: Date; readonly position: FeedPosition | null; readonly limit: number },
): Promise<FeedPage<ServiceReminder>> {
  const { text, values } = reminderFeedText(filters);
  return readFeed<ServiceReminder>(db, text, [page.since, page.position, page.limit], [partnerId, ...values]);
}
