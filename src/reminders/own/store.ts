/** SQL of the workshop's side: the service reminders of a workshop, of any partner. */
import { reminderJson } from '#bookings/reminder-code/snapshot.ts';
import type { Queryable } from '#db/database.ts';
import { beforeId } from '#db/page-bounds.ts';
import type { ReminderStatus, ServiceReminder } from '../schema.ts';

/** A reminder as its workshop sees it. */
export interface WorkshopReminder extends ServiceReminder {
  readonly partnerId: string;
  readonly partner: string;
  /** The workshop's time zone; IANA name. */
  readonly timezone: string;
  /** The workshop's, ISO 3166. */
  readonly country: string;
}

const columns = `${reminderJson('r')} || jsonb_build_object('partnerId', r.partner_id, 'partner', p.name, 'timezone', w.timezone, 'country', w.country) AS reminder`;
const joins = 'JOIN workshop w ON w.id = r.workshop_id JOIN partner p ON p.id = r.partner_id';

/** Finds a reminder by its id or code. */
export async function findWorkshopReminder(
  db: Queryable,
  by: { readonly id: string } | { readonly code: string },
): Promise<WorkshopReminder | null> {
  const [row] = await db.query<{ reminder: WorkshopReminder }>(
    'id' in by
      ? `SELECT ${columns} FROM service_reminder r ${joins} WHERE r.id = $1`
      : `SELECT ${columns} FROM service_reminder r ${joins} WHERE r.code = $1`,
    ['id' in by ? by.id : by.code],
  );
  return row?.reminder ?? null;
}

export interface WorkshopReminders {
  readonly workshopId: string;
  /** Null: of all. */
  readonly partnerId: string | null;
  readonly customerId: string | null;
  readonly statuses: readonly ReminderStatus[];
}

export interface WorkshopReminderPage extends WorkshopReminders {
  /** The last reminder of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** A customer has few; else each partner's reminders with each status by their index, then together. Exported for tests that read its plan. */
export function workshopRemindersText({ customerId }: Pick<WorkshopReminderPage, 'customerId'>): string {
  const before = beforeId('row.id', '$4');
  const ids =
    customerId === null
      ? `SELECT own.id FROM link l CROSS JOIN unnest($2::text[]) AS wanted (status) CROSS JOIN LATERAL (
      SELECT row.id FROM service_reminder AS row
       WHERE row.workshop_id = $1::uuid AND row.partner_id = l.partner_id AND row.status = wanted.status AND ${before}
       ORDER BY row.id DESC LIMIT $5) AS own
     WHERE l.workshop_id = $1::uuid AND l.partner_id = coalesce($3::uuid, l.partner_id)`
      : `SELECT row.id FROM service_reminder AS row
     WHERE row.workshop_id = $1::uuid AND row.customer_id = $6::uuid AND row.status = ANY ($2::text[])
       AND row.partner_id = coalesce($3::uuid, row.partner_id) AND ${before}`;
  return `WITH given AS (SELECT $6::uuid)
    SELECT own.reminder FROM (SELECT id FROM (${ids}) AS found ORDER BY id DESC LIMIT $5) AS page
     CROSS JOIN LATERAL (SELECT ${columns} FROM service_reminder r ${joins} WHERE r.id = page.id LIMIT 1) AS own
     ORDER BY page.id DESC`;
}

/** The service reminders of a workshop, the newest first. */
export async function listWorkshopReminders(
  db: Queryable,
  of: WorkshopReminderPage,
): Promise<WorkshopReminder[]> {
  const rows = await db.query<{ reminder: WorkshopReminder }>(workshopRemindersText(of), [
    ...[of.workshopId, of.statuses, of.partnerId, of.before, of.limit],
    of.customerId,
  ]);
  return rows.map(({ reminder }) => reminder);
}
