/**
 * SQL of service reminders: the data needed to create one, creating one with its SMS or for later, reading one. SQL of schedule,
 * outcomes and lists is in other folders.
 */

import type { Actor } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { actorColumns, actorValues } from '#platform/events/record.ts';
import { changeCtes, recordCtes } from '#platform/records/change.ts';
import type { RecordName } from '#platform/records/store.ts';
import { reminderJson } from '#product/bookings/reminder-code/snapshot.ts';
import type { Booking } from '#product/bookings/schema.ts';
import { bookingJson } from '#product/bookings/snapshot.ts';
import { upsertCar } from '#product/customers/cars/store.ts';
import { type CustomerSeen, customerSeen } from '#product/customers/seen/store.ts';
import { ensureCustomer } from '#product/customers/store.ts';
import { type Named, namedColumns, namedCtes, namedJoins } from '#product/messaging/named/store.ts';
import {
  type CreatedMessage,
  type CreateMessage,
  createMessageText,
  messageColumns,
  personOf,
  type SentBefore,
} from '#product/messaging/store.ts';
import type { WayOutWorkshop } from '#product/way-out/way-out.ts';
import { type Gate, gateColumns, gatesCte } from '#product/workshops/access/store.ts';
import { sendersJson } from '#product/workshops/senders/store.ts';
import { reminderRecord } from './record.ts';
import type { ServiceReminder } from './schema.ts';

export interface RemindContext extends Gate, Named, SentBefore {
  readonly workshop: WayOutWorkshop & { readonly name: string };
  /** Null when the customer does not exist yet. */
  readonly customerId: string | null;
  readonly phone: string | null;
  /** The customer as this partner may see them. */
  readonly customer: CustomerSeen | null;
  /** The named booking, else the partner's latest booking of the customer, and of the car if one is named. */
  readonly lastBooking: Booking | null;
  /** The reminder with this reference, if any, and whether its SMS is in flight or done, and still stored. */
  readonly reminder: ServiceReminder | null;
  readonly isBegun: boolean | null;
}

export interface RemindedPerson {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly customerId: string | null;
  /** E.164; null when customerId is given. */
  readonly phone: string | null;
  readonly lastBookingId: string | null;
  readonly carRego: string | null;
  readonly referenceId: string | null;
}

const contextText = `WITH input AS (
    SELECT 1 AS ordinal, $1::uuid AS partner_id, $2::uuid AS workshop_id, $3::uuid AS customer_id, $4::text AS phone,
           $5::uuid AS booking_id),
  ${gatesCte},
  ${namedCtes}
  SELECT ${gateColumns}, ${namedColumns}, r.id IS NOT NULL AS sent_before,
         jsonb_build_object('name', w.name, 'phone', w.phone, 'country', w.country) || ${sendersJson('w')} AS workshop,
         k.id AS customer_id, k.phone,
         ${customerSeen('k', '$1::uuid')} AS customer,
         last.booking AS last_booking, CASE WHEN r.id IS NOT NULL THEN ${reminderJson('r')} END AS reminder,
         EXISTS (SELECT FROM message m WHERE m.cause_id = r.id AND m.kind = 'serviceReminder') AS is_begun
    FROM gate JOIN workshop w ON w.id = gate.workshop_id ${namedJoins}
    LEFT JOIN customer k ON k.id = person.id
    LEFT JOIN service_reminder r ON r.partner_id = $1::uuid AND r.workshop_id = gate.workshop_id
     AND r.customer_id = k.id AND r.reference_id = $7::text
    LEFT JOIN LATERAL (
      SELECT ${bookingJson('b', 'c')} AS booking FROM booking b JOIN car c ON c.id = b.car_id
       WHERE b.customer_id = k.id AND b.partner_id = $1::uuid
         AND CASE WHEN $5::uuid IS NULL THEN b.status <> 'cancelled' AND ($6::text IS NULL OR c.rego = $6::text) ELSE b.id = $5::uuid END
       ORDER BY b.date DESC, b.id DESC LIMIT 1) AS last ON true`;

/** Null when the partner has no such workshop. */
export async function readRemindContext(db: Queryable, of: RemindedPerson): Promise<RemindContext | null> {
  const { partnerId, workshopId, customerId, phone, lastBookingId, carRego, referenceId } = of;
  const [row] = await db.query<RemindContext>(contextText, [
    ...[partnerId, workshopId, customerId, phone, lastBookingId, carRego, referenceId],
  ]);
  return row ?? null;
}

/** The columns of both ways to create a reminder, beside the person. */
const reminderColumns = {
  reminderId: 'uuid',
  code: 'text',
  newCarId: 'uuid',
  carRego: 'text null',
  lastServiceId: 'uuid null',
  lastBookingId: 'uuid null',
  externalId: 'text null',
  reminderReference: 'text null',
  customer: 'jsonb',
  car: 'jsonb null',
  customerName: 'text null',
  customerFirstName: 'text null',
  customerLastName: 'text null',
  dueAt: 'timestamptz',
} as const;

const newName = {
  name: 'input.customer_name',
  firstName: 'input.customer_first_name',
  lastName: 'input.customer_last_name',
};

/**
 * CTE `reminded`: the rows created for `recipient` (`ordinal, workshop_id, customer_id`); none when the reference was used before.
 */
const remindedCte = (takenAt: string) => `car_owner AS MATERIALIZED (
      SELECT r.customer_id AS id, r.workshop_id, input.new_car_id, input.car_rego, input.now
        FROM recipient r JOIN input ON input.ordinal = r.ordinal WHERE input.car_rego IS NOT NULL),
    the_car AS (${upsertCar('car_owner', {
      ...{ newId: 'new_car_id', rego: 'car_rego', now: 'now' },
      ...{ year: 'NULL::integer', make: 'NULL', model: 'NULL', badge: 'NULL', vin: 'NULL' },
    })}),
    reminded AS (
      INSERT INTO service_reminder (id, code, partner_id, workshop_id, customer_id, car_id, last_service_id, last_booking_id, external_id,
        reference_id, automatic, customer, car, status, due_at, taken_at, created_at, updated_at)
      SELECT input.reminder_id, input.code, input.partner_id, r.workshop_id, r.customer_id, the_car.id, input.last_service_id,
             input.last_booking_id,
             input.external_id, input.reminder_reference, false, input.customer, input.car, 'scheduled', input.due_at, ${takenAt},
             input.now, input.now
        FROM recipient r JOIN input ON input.ordinal = r.ordinal
        LEFT JOIN the_car ON the_car.customer_id = r.customer_id AND the_car.rego = input.car_rego
       ORDER BY r.ordinal
      ON CONFLICT (partner_id, workshop_id, customer_id, reference_id) WHERE reference_id IS NOT NULL DO NOTHING
      RETURNING *)`;

const sendColumns = { ...messageColumns, ...reminderColumns } as const;
export type SendReminder = RowValues<typeof sendColumns> & CreateMessage;

/**
 * Creates a reminder with its SMS and the first attempt, like `createMessage`; without a message when the reference was used
 * before.
 */
export const createSentReminder = gather<SendReminder, CreatedMessage>({
  columns: sendColumns,
  build: ({ input }) =>
    createMessageText(input, {
      kind: 'serviceReminder',
      newName,
      ctes: `${remindedCte('input.now')},`,
      cause: 'input.reminder_id',
      where: 'EXISTS (SELECT FROM reminded WHERE reminded.id = input.reminder_id)',
    }),
  partnerOf: ({ partnerId }) => partnerId,
  keyOf: personOf,
});

const laterColumns = {
  ...reminderColumns,
  partnerId: 'uuid',
  workshopId: 'uuid',
  customerId: 'uuid null',
  phone: 'text null',
  newCustomerId: 'uuid',
  now: 'timestamptz',
  ...actorColumns,
} as const;
export type ScheduleReminder = RowValues<typeof laterColumns>;

/** Creates a reminder that is sent later, with its event; null when the reference was used before. */
export const createScheduledReminder = gather<ScheduleReminder, { serviceReminder: ServiceReminder }>({
  columns: laterColumns,
  build: ({ input }) => `WITH ${input},
    newcomer AS MATERIALIZED (
      SELECT * FROM input WHERE customer_id IS NULL ORDER BY workshop_id, phone),
    made_customer AS (${ensureCustomer('newcomer', {
      ...{ newId: 'new_customer_id', phone: 'phone', now: 'now', partnerId: 'partner_id' },
      ...{ name: 'customer_name', firstName: 'customer_first_name', lastName: 'customer_last_name' },
    })}),
    recipient AS MATERIALIZED (
      SELECT input.ordinal, input.workshop_id, coalesce(input.customer_id, made_customer.id) AS customer_id
        FROM input LEFT JOIN made_customer ON made_customer.workshop_id = input.workshop_id AND made_customer.phone = input.phone),
    ${remindedCte('NULL::timestamptz')},
    made AS (SELECT r.*, input.ordinal, input.actor, input.request_id FROM reminded r JOIN input ON input.reminder_id = r.id),
    ${recordCtes(reminderRecord, 'made', { kind: `'serviceReminder.scheduled'` })}
    SELECT ordinal, service_reminder FROM service_reminder_snapshot`,
  partnerOf: ({ partnerId }) => partnerId,
  keyOf: ({ workshopId, customerId, phone }) => `${workshopId} ${customerId ?? phone}`.toLowerCase(),
});

export interface CancelledRow {
  readonly linkActive: boolean;
  /** The version before. */
  readonly version: number;
  /** Null: it is not scheduled any more, its SMS is queued, or staff have seen another version. */
  readonly serviceReminder: ServiceReminder | null;
}

/** `theirs` is a condition on `r` and `$2`; `may` one on `named` and `r`: whether the caller may cancel it. */
const cancelText = (column: 'id' | 'code', theirs: string, may: string) => `WITH named AS MATERIALIZED (
      SELECT r.id, r.version, l.active FROM service_reminder r JOIN link l ON l.partner_id = r.partner_id AND l.workshop_id = r.workshop_id
       WHERE r.${column} = $1 AND ${theirs}),
    ${changeCtes(reminderRecord, {
      ...{ kind: `'serviceReminder.cancelled'`, set: `status = 'cancelled'`, from: 'named' },
      ...{ before: { status: `'scheduled'` }, after: { status: 'r.status' } },
      where: `r.id = named.id AND ${may} AND r.status = 'scheduled' AND r.taken_at IS NULL`,
      ...{ now: '$3::timestamptz', by: { actor: '$4', requestId: '$5' } },
    })}
    SELECT named.active AS link_active, named.version, (SELECT service_reminder FROM service_reminder_snapshot) AS service_reminder
      FROM named`;
const cancelOwn = (column: 'id' | 'code') => cancelText(column, 'r.partner_id = $2', 'named.active');
const [cancelById, cancelByCode] = [cancelOwn('id'), cancelOwn('code')];
const stopText = cancelText('id', 'r.workshop_id = $2', 'r.version = coalesce($6::integer, r.version)');

/** Cancels a scheduled reminder, with the event; null when the partner has no such reminder. */
export async function writeCancelled(
  db: Queryable,
  partnerId: string,
  name: RecordName,
  now: Date,
  actor: Actor,
): Promise<CancelledRow | null> {
  const by = actorValues(actor);
  const [text, value] = 'id' in name ? [cancelById, name.id] : [cancelByCode, name.code];
  const [row] = await db.query<CancelledRow>(text, [value, partnerId, now, by.actor, by.requestId]);
  return row ?? null;
}

/**
 * The same by the workshop, whatever the state of the link, if it has this version (null: any); null when the workshop has no such
 * reminder.
 */
export async function writeStopped(
  tx: Queryable,
  of: { readonly workshopId: string; readonly reminderId: string; readonly version: number | null },
  now: Date,
  actor: Actor,
): Promise<CancelledRow | null> {
  const by = actorValues(actor);
  const values = [of.reminderId, of.workshopId, now, by.actor, by.requestId, of.version];
  const [row] = await tx.query<CancelledRow>(stopText, values);
  return row ?? null;
}
