/**
 * SQL of booking with the code of a service reminder: the booking is recorded on the reminder (specification: Service reminders 6).
 */
import type { Queryable } from '#platform/db/database.ts';
import { actorIn } from '#platform/events/record.ts';
import { changeCtes } from '#platform/records/change.ts';
import { changedReminder } from './snapshot.ts';

/** A condition on the row `r`: its code can still be used. */
export const reminderIsOpenSql = (r: string) => `${r}.status IN ('scheduled', 'sent', 'failed')`;

/** The reminder with this code, by its unique index: OFFSET 0 keeps the planner from other indexes. */
const ofCode = (code: string) => `(SELECT * FROM service_reminder WHERE code = ${code} OFFSET 0)`;

/** Whether this partner has an open reminder at the workshop with the code. */
export async function reminderIsOpen(
  db: Queryable,
  of: { readonly partnerId: string | null; readonly workshopId: string; readonly code: string },
): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM ${ofCode('$1')} r WHERE r.partner_id = $2 AND r.workshop_id = $3 AND ${reminderIsOpenSql('r')}`,
    [of.code, of.partnerId, of.workshopId],
  );
  return rows.length > 0;
}

/** The parts that the code of a reminder adds to the statement that creates a booking (`../store.ts`). */
export interface Redemption {
  /** CTEs after `gate`. */
  readonly gate: string;
  /** A condition on the row of `gate`: the booking may be made. */
  readonly isOpen: string;
  /** CTEs after `content`, the new bookings. */
  readonly ctes: string;
}

export const noCode: Redemption = { gate: '', isOpen: 'true', ctes: '' };

/** Each reminder is locked, so that of two bookings with one code the second one finds it used. */
export const withCode: Redemption = {
  gate: `, its_reminder AS MATERIALIZED (
      SELECT gate.ordinal, r.id, r.status FROM (SELECT * FROM gate ORDER BY reminder_code) AS gate
       CROSS JOIN LATERAL (
         SELECT id, partner_id, workshop_id, status FROM service_reminder WHERE code = gate.reminder_code FOR NO KEY UPDATE) AS r
       WHERE r.partner_id = gate.partner_id AND r.workshop_id = gate.workshop_id AND ${reminderIsOpenSql('r')})`,
  isOpen: 'EXISTS (SELECT FROM its_reminder WHERE its_reminder.ordinal = gate.ordinal)',
  ctes: `${changeCtes(changedReminder, {
    kind: `'serviceReminder.booked'`,
    set: `status = 'booked', new_booking_id = content.id`,
    from: 'content JOIN its_reminder ON its_reminder.ordinal = content.ordinal',
    where: 'r.id = its_reminder.id',
    before: { status: 'its_reminder.status', newBookingId: 'NULL' },
    after: { status: 'r.status', newBookingId: 'r.new_booking_id' },
    ...{ now: 'content.created_at', by: actorIn('content') },
  })},`,
};
