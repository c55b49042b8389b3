/** SQL of the pages of reminders: a workshop's reminders of one status, by due time; and one reminder, with its SMS. */
import type { Queryable } from '#platform/db/database.ts';
import { highestId, lowestId } from '#platform/db/page-bounds.ts';
import { planEachTime } from '#platform/db/plan-modes.ts';
import type { KnownCar } from '#product/reminders/known.ts';
import type { ServiceReminder } from '#product/reminders/schema.ts';
import type { Said } from '../said/store.ts';

export interface Reminder {
  readonly id: string;
  readonly version: number;
  readonly status: ServiceReminder['status'];
  readonly dueAt: Date;
  readonly sentAt: Date | null;
  /** Its SMS was queued or sent. */
  readonly isTaken: boolean;
  /** The customer; of merged ones, the one that was kept. */
  readonly customerId: string;
  readonly customer: string | null;
  /** The recipient, E.164; null: erased. */
  readonly phone: string | null;
  readonly optedOut: boolean;
  readonly car: KnownCar | null;
  readonly partner: string;
  readonly lastBookingId: string | null;
  readonly newBookingId: string | null;
}

const columns = `r.id, r.version, r.status, r.due_at, r.sent_at, r.taken_at IS NOT NULL AS is_taken,
       k.id AS customer_id, k.name AS customer,
       own.phone, own.opted_out_at IS NOT NULL AS opted_out, CASE WHEN r.car_id IS NOT NULL THEN r.car END AS car, p.name AS partner,
       r.last_booking_id, r.new_booking_id`;
const joins = `JOIN partner p ON p.id = r.partner_id JOIN customer own ON own.id = r.customer_id
       JOIN customer k ON k.id = coalesce(own.merged_into, own.id)`;

/** Scheduled reminders: the next first; others: the latest first. */
const listText = (isAhead: boolean) => {
  const [than, order] = isAhead ? ['>', 'ASC'] : ['<', 'DESC'];
  return planEachTime(`WITH shown AS MATERIALIZED (
       SELECT * FROM service_reminder s
        WHERE s.workshop_id = $1 AND s.status = $2 AND (s.due_at, s.id) ${than} ($3::timestamptz, $5::uuid)
        ORDER BY s.due_at ${order}, s.id ${order} LIMIT $4)
     SELECT ${columns} FROM shown r ${joins} ORDER BY r.due_at ${order}, r.id ${order}`);
};
const [aheadText, pastText] = [listText(true), listText(false)];

export interface ReminderPage {
  readonly workshopId: string;
  readonly status: ServiceReminder['status'];
  /** The last reminder of the previous page; null: the first page. */
  readonly after: string | null;
  readonly limit: number;
}

const ends = {
  ahead: { text: aheadText, at: '-infinity', id: lowestId },
  past: { text: pastText, at: 'infinity', id: highestId },
} as const;

/** Exported for the test of its plan. `at`: the time of the reminder `after`, in PostgreSQL's notation. */
export function listRemindersStatement(
  { workshopId, status, after, limit }: ReminderPage,
  at: string | null,
) {
  const { text, ...end } = ends[status === 'scheduled' ? 'ahead' : 'past'];
  return { text, values: [workshopId, status, at ?? end.at, limit, after ?? end.id] };
}

/** A reminder of another workshop, as `after`, gives an empty page. */
export async function listReminders(db: Queryable, page: ReminderPage): Promise<Reminder[]> {
  const at = page.after === null ? null : await findInstant(db, page.workshopId, page.after);
  if (page.after !== null && at === null) return [];
  const { text, values } = listRemindersStatement(page, at);
  return db.query<Reminder>(text, values);
}

async function findInstant(db: Queryable, workshopId: string, id: string): Promise<string | null> {
  const [row] = await db.query<{ at: string }>(
    'SELECT due_at::text AS at FROM service_reminder WHERE id = $2 AND workshop_id = $1',
    [workshopId, id],
  );
  return row?.at ?? null;
}

/** Null: the workshop has no such reminder. */
export async function findReminder(db: Queryable, workshopId: string, id: string): Promise<Reminder | null> {
  const [row] = await db.query<Reminder>(
    `SELECT ${columns} FROM service_reminder r ${joins} WHERE r.id = $2 AND r.workshop_id = $1`,
    [workshopId, id],
  );
  return row ?? null;
}

/** The SMS of a reminder, newest first; empty if it was not sent yet. */
export async function listSent(db: Queryable, workshopId: string, reminderId: string): Promise<Said[]> {
  return db.query<Said>(
    `SELECT m.id, m.direction, m.channel, m.kind, m.subject, m.body, m.state, m.reason, m.created_at AS at FROM message m
      WHERE m.cause_id = $2 AND m.kind = 'serviceReminder' AND m.workshop_id = $1 ORDER BY m.id DESC`,
    [workshopId, reminderId],
  );
}
