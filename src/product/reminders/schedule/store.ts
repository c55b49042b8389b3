/** SQL of scheduled reminders: created after a completed booking, due, and ended. */

import { type Actor, actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { actorIs, actorValues } from '#platform/events/record.ts';
import { changeCtes, recordCtes } from '#platform/records/change.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { Booking } from '#product/bookings/schema.ts';
import { plainRegoOf } from '#product/customers/cars/store.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import type { WayOutWorkshop } from '#product/way-out/way-out.ts';
import { isOpen } from '#product/workshops/access/conditions.ts';
import { sendersJson } from '#product/workshops/senders/store.ts';
import type { KnownCar, KnownCustomer } from '../known.ts';
import { reminderRecord } from '../record.ts';

/** The rows of one car: each row of a merged customer may have one, and one in each punctuation of its rego. */
const sameCar = (id: string) => `SELECT ${id} UNION SELECT one.id FROM car own
      JOIN car one ON ${plainRegoOf('one.rego')} = ${plainRegoOf('own.rego')}
       AND one.customer_id = ANY (${idsOf('own.customer_id')}) WHERE own.id = ${id}`;

/** Whether the car of the row `r` (with `car_id` and `last_booking_id`) has a booking later than its last one. */
const hasLaterBooking = (r: string) => `EXISTS (
  SELECT FROM booking last CROSS JOIN LATERAL (${sameCar('last.car_id')}) AS one (car_id)
    JOIN booking later ON later.car_id = one.car_id AND later.date > last.date AND later.status <> 'cancelled'
   WHERE last.id = ${r}.last_booking_id AND last.car_id = ${r}.car_id)`;

export interface CompletedBooking {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly booking: Booking;
  readonly months: number;
  readonly timezone: string;
}

/** The bookings of these events that belong to a partner, at workshops that schedule reminders. */
export async function readCompleted(tx: Queryable, eventIds: readonly string[]): Promise<CompletedBooking[]> {
  return tx.query<CompletedBooking>(
    planOnce(`SELECT e.partner_id, e.workshop_id, e.payload->'booking' AS booking, w.reminder_months AS months, w.timezone
       FROM event e JOIN workshop w ON w.id = e.workshop_id
      WHERE e.id = ANY($1::uuid[]) AND e.partner_id IS NOT NULL AND w.reminder_months IS NOT NULL`),
    [eventIds],
  );
}

export interface FollowingReminder {
  readonly id: string;
  readonly code: string;
  readonly partnerId: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly carId: string;
  readonly lastBookingId: string;
  readonly lastServiceId: string | null;
  readonly customer: KnownCustomer;
  readonly car: KnownCar;
  readonly dueAt: Date;
}

const by = actorIs(actors.schedule);

/** Stores reminders with their events, except for cars with a later booking; idempotent: one for each booking. */
export async function insertFollowing(
  tx: Queryable,
  rows: readonly FollowingReminder[],
  now: Date,
): Promise<void> {
  await tx.query(
    `WITH input AS MATERIALIZED (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS given ("id" uuid, "code" text, partner_id uuid, workshop_id uuid,
         customer_id uuid, car_id uuid, last_booking_id uuid, last_service_id uuid, "customer" jsonb, "car" jsonb, due_at timestamptz)),
     made AS (
       INSERT INTO service_reminder (id, code, partner_id, workshop_id, customer_id, car_id, last_service_id, last_booking_id, automatic,
         customer, car, status, due_at, created_at, updated_at)
       SELECT id, code, partner_id, workshop_id, customer_id, car_id, last_service_id, last_booking_id, true, customer, car,
              'scheduled', due_at, $2, $2
         FROM input AS its
        WHERE NOT ${hasLaterBooking('its')} ORDER BY id
       ON CONFLICT (last_booking_id) WHERE automatic DO NOTHING RETURNING *, ${by.actor} AS actor, ${by.requestId} AS request_id),
     ${recordCtes(reminderRecord, 'made', { kind: `'serviceReminder.scheduled'` })}
     SELECT`,
    [recordset(rows), now],
  );
}

export interface DueReminder {
  readonly id: string;
  readonly code: string;
  readonly partnerId: string;
  readonly workshopId: string;
  readonly customerId: string;
  readonly lastBookingId: string | null;
  readonly customer: KnownCustomer;
  readonly car: KnownCar | null;
  readonly workshop: WayOutWorkshop & { readonly name: string };
  /** Null: the customer was erased. */
  readonly phone: string | null;
  /** Whether its partner may send at this workshop now. */
  readonly isOpen: boolean;
  /** A reminder of `reminderMonths` whose car has been booked since. */
  readonly isNeedless: boolean;
}

const isDue = `status = 'scheduled' AND taken_at IS NULL AND due_at <= $1`;

/** Up to `limit` reminders that are due, oldest first; without those that have failed in the job `but`. */
export async function findDue(
  db: Queryable,
  now: Date,
  limit: number,
  but: string | null = null,
): Promise<string[]> {
  const counts = but === null ? 'true' : notFailed(but, 'service_reminder.id');
  const rows = await db.query<{ id: string }>(
    planOnce(`SELECT id FROM service_reminder WHERE ${isDue} AND ${counts} ORDER BY due_at LIMIT $2`),
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

/** The columns that sending needs, from the rows `r` of a FROM item. */
const dueText = (from: string) => `SELECT r.id, r.code, r.partner_id, r.workshop_id, r.customer_id,
            r.last_booking_id, r.customer, CASE WHEN r.car_id IS NOT NULL THEN r.car END AS car,
            jsonb_build_object('name', w.name, 'phone', w.phone, 'country', w.country) || ${sendersJson('w')} AS workshop, k.phone,
            ${isOpen('messaging')} AS is_open,
            r.automatic AND ${hasLaterBooking('r')} AS is_needless
       FROM ${from} r JOIN workshop w ON w.id = r.workshop_id JOIN partner p ON p.id = r.partner_id
       JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
       JOIN customer k ON k.id = r.customer_id`;

/** Marks the locked reminders of `which`, a query of ids, as taken at `$1`: no other transaction takes them again. */
const takeText = (which: string) => `WITH due AS MATERIALIZED (${which}),
     taken AS (UPDATE service_reminder r SET taken_at = $1 FROM due WHERE r.id = due.id RETURNING r.*)
     ${dueText('taken')}`;
const takeDueText = takeText(
  `SELECT id FROM service_reminder WHERE id = ANY ($2::uuid[]) AND ${isDue} ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`,
);
const takeOneText = takeText(`SELECT id FROM service_reminder
       WHERE id = $2::uuid AND workshop_id = $3::uuid AND status = 'scheduled' AND taken_at IS NULL FOR NO KEY UPDATE`);

/** Takes those of these reminders that are due; rows that another transaction has locked are skipped. */
export async function takeDue(tx: Queryable, now: Date, ids: readonly string[]): Promise<DueReminder[]> {
  return tx.query<DueReminder>(takeDueText, [now, ids]);
}

/**
 * Takes one reminder of a workshop before it is due, and waits for a lock on it; null: it is not scheduled any more, or its SMS is
 * queued.
 */
export async function takeOne(
  tx: Queryable,
  now: Date,
  { workshopId, reminderId }: WorkshopReminderName,
): Promise<DueReminder | null> {
  const [row] = await tx.query<DueReminder>(takeOneText, [now, reminderId, workshopId]);
  return row ?? null;
}

export interface WorkshopReminderName {
  readonly workshopId: string;
  readonly reminderId: string;
}

/** The version of a workshop's reminder; null: the workshop has no such reminder. */
export async function versionOfReminder(
  tx: Queryable,
  { workshopId, reminderId }: WorkshopReminderName,
): Promise<number | null> {
  const [row] = await tx.query<{ version: number }>(
    'SELECT version FROM service_reminder WHERE id = $1 AND workshop_id = $2',
    [reminderId, workshopId],
  );
  return row?.version ?? null;
}

const scheduledText = `${dueText('service_reminder')}
      WHERE r.id = $1 AND r.workshop_id = $2 AND r.status = 'scheduled' AND r.taken_at IS NULL`;

/** The data for sending one reminder of a workshop now; null: it is not scheduled any more, or its SMS is queued. */
export async function findScheduled(
  db: Queryable,
  { workshopId, reminderId }: WorkshopReminderName,
): Promise<DueReminder | null> {
  const [row] = await db.query<DueReminder>(scheduledText, [reminderId, workshopId]);
  return row ?? null;
}

/** Ends scheduled reminders without sending them, with the events. */
export async function endScheduled(
  tx: Queryable,
  ids: readonly string[],
  status: 'cancelled' | 'failed',
  now: Date,
  actor: Actor,
): Promise<void> {
  if (ids.length === 0) return;
  const by = actorValues(actor);
  await tx.query(
    `WITH ${changeCtes(reminderRecord, {
      ...{ kind: `'serviceReminder.' || r.status`, set: 'status = $2, taken_at = NULL' },
      ...{ before: { status: `'scheduled'` }, after: { status: 'r.status' } },
      where: `r.id = ANY($1::uuid[]) AND r.status = 'scheduled'`,
      ...{ now: '$3::timestamptz', by: { actor: '$4', requestId: '$5' } },
    })}
     SELECT`,
    [ids, status, now, by.actor, by.requestId],
  );
}
