/** SQL of the runs that events plan: which automations they trigger, and for whom. */

import type { QuietHours } from '#base/values/quiet-hours.ts';
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { isFromPage } from '#platform/events/page-withholds.ts';
import { noteChanged } from '#product/customers/search/store.ts';
import { ensureCustomer } from '#product/customers/store.ts';
import type { TriggerType } from '../../schema.ts';
import { quietJson } from '../../store.ts';

interface Planned {
  readonly automationId: string;
  readonly workshopId: string;
  readonly type: TriggerType;
  readonly offsetMinutes: number;
  readonly quietHours: QuietHours | null;
  readonly timezone: string;
  readonly partnerId: string | null;
  readonly customerId: string;
  /** When the event occurred, in business time. */
  readonly happenedAt: Date;
}

export interface PlannedOfBooking extends Planned {
  /** True when a visitor of a page set it off. */
  readonly byPage: boolean;
  readonly bookingId: string;
  /** The date that the booking has now. */
  readonly bookingDate: Date;
}

const automationColumns = `a.id AS automation_id, a.workshop_id, a.trigger_type AS type,
  a.offset_minutes, ${quietJson('a')} AS quiet_hours, w.timezone`;

/**
 * The automations with these triggers that booking events trigger: one row for each automation and booking. These are left out:
 * - an event that does not notify the customer, unless `despiteSilence` has the pair of automation and booking (`<id> <id>`);
 * - an update that left the date as it was;
 * - an event of a booking that it left unconfirmed, for the trigger `bookingConfirmed`;
 * - an event from before the automation was created;
 * - a booking that was entered afterwards: its date is before its creation;
 * - a booking that is cancelled now, unless the cancellation is the trigger;
 * - with `ahead`, a booking that is not pending or confirmed, or whose date had passed at the event.
 */
export async function plannedByBookings(
  tx: Queryable,
  eventIds: readonly string[],
  types: readonly TriggerType[],
  { ahead, despiteSilence }: { readonly ahead: boolean; readonly despiteSilence: readonly string[] },
): Promise<PlannedOfBooking[]> {
  return tx.query<PlannedOfBooking>(
    planOnce(`SELECT DISTINCT ON (a.id, b.id) ${automationColumns}, e.partner_id, b.customer_id,
            e.occurred_at AS happened_at, b.id AS booking_id, b.date AS booking_date, ${isFromPage('e')} AS by_page
       FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = ANY($2::text[])
         AND a.created_at <= e.occurred_at
       JOIN workshop w ON w.id = a.workshop_id JOIN booking b ON b.id = e.subject_id
      WHERE e.id = ANY($1::uuid[])
        AND (e.kind <> 'booking.updated' OR (e.payload->>'dateChanged')::boolean)
        AND (a.trigger_type <> 'bookingConfirmed' OR e.payload->'booking'->>'status' = 'confirmed')
        AND ((e.payload->>'notifyCustomer')::boolean OR a.id::text || ' ' || b.id::text = ANY($4::text[]))
        AND (e.payload->'booking'->>'date')::timestamptz >= (e.payload->'booking'->>'createdAt')::timestamptz
        AND CASE WHEN $3::boolean THEN b.status IN ('pending', 'confirmed') AND b.date > e.occurred_at
             ELSE a.trigger_type = 'bookingCancelled' OR b.status <> 'cancelled' END
      ORDER BY a.id, b.id, e.version DESC`),
    [eventIds, types, ahead, despiteSilence],
  );
}

export interface PlannedOfSubject extends Planned {
  /** The call, or the reminder. */
  readonly subjectId: string;
  readonly bookingId: string | null;
}

/** A missed call that is recorded later than this sets nothing off. */
const callAge = `interval '24 hours'`;

/** The automations that missed calls trigger. A caller who is not a customer of the workshop yet becomes one. `now` is business time. */
export async function plannedByCalls(
  tx: Queryable,
  eventIds: readonly string[],
  now: Date,
): Promise<PlannedOfSubject[]> {
  const callers = await tx.query<{ id: string }>(
    planOnce(`WITH caller AS (
       SELECT DISTINCT e.workshop_id, e.payload->'callLead'->>'callerPhone' AS phone FROM event e
        WHERE e.id = ANY($1::uuid[]) AND (e.payload->'callLead'->>'calledAt')::timestamptz > e.occurred_at - ${callAge}
          AND e.payload->'callLead'->>'callerPhone' <> ''
          AND EXISTS (SELECT FROM automation a WHERE a.workshop_id = e.workshop_id AND a.trigger_type = 'callMissed'
            AND a.status = 'active' AND a.created_at <= e.occurred_at)
        ORDER BY 1, 2)
     ${ensureCustomer('caller', { newId: newIdSql, phone: 'phone', now: '$2::timestamptz' })}`),
    [eventIds, now],
  );
  await noteChanged(
    tx,
    callers.map(({ id }) => id),
  );
  return tx.query<PlannedOfSubject>(
    planOnce(`SELECT ${automationColumns}, e.partner_id, k.id AS customer_id, e.occurred_at AS happened_at, e.subject_id,
            NULL AS booking_id
       FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = 'callMissed' AND a.created_at <= e.occurred_at
       JOIN workshop w ON w.id = a.workshop_id
      CROSS JOIN LATERAL (
        SELECT id FROM customer WHERE phone = e.payload->'callLead'->>'callerPhone' AND workshop_id = e.workshop_id LIMIT 1) AS k
      WHERE e.id = ANY($1::uuid[]) AND (e.payload->'callLead'->>'calledAt')::timestamptz > e.occurred_at - ${callAge}`),
    [eventIds],
  );
}

/** The automations that sent service reminders trigger. */
export async function plannedByReminders(
  tx: Queryable,
  eventIds: readonly string[],
): Promise<PlannedOfSubject[]> {
  return tx.query<PlannedOfSubject>(
    planOnce(`SELECT ${automationColumns}, e.partner_id, k.id AS customer_id, e.occurred_at AS happened_at, e.subject_id,
            NULL AS booking_id
       FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = 'reminderSent' AND a.created_at <= e.occurred_at
       JOIN workshop w ON w.id = a.workshop_id
      CROSS JOIN LATERAL (
        SELECT id FROM customer WHERE id = (e.payload->'serviceReminder'->>'customerId')::uuid AND workshop_id = e.workshop_id LIMIT 1) AS k
      WHERE e.id = ANY($1::uuid[])`),
    [eventIds],
  );
}
