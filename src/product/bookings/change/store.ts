/** SQL of changes: an update, a status. Rows are locked in the order booking, customer, car, as in create. */

import type { Queryable } from '#platform/db/database.ts';
import { columnOf, type Values } from '#platform/db/parameters.ts';
import { statement } from '#platform/db/statement.ts';
import { endHoldsCte } from '#platform/events/held/store.ts';
import { actorColumns, actorOf, insertEvents } from '#platform/events/record.ts';
import { changeCtes, countedAt } from '#platform/records/change.ts';
import type { PlaceColumns } from '#product/availability/places/place.ts';
import { moveCar, upsertCar } from '#product/customers/cars/store.ts';
import {
  carParameters,
  changed,
  changedAssignments,
  common,
  detailAssignments,
  placeAssignments,
  placeColumns,
  placeOf,
} from '../columns.ts';
import { bookingRecord } from '../record.ts';
import type { BookingStatus } from '../schema.ts';
import { bookingJson } from '../snapshot.ts';
import { type BookingVersion, earlierDetails } from '../store.ts';

export interface LockedBooking extends BookingVersion, PlaceColumns {
  /** Null: the workshop's own booking. */
  partnerId: string | null;
  /** Whether the partner's link to the workshop is active; null without a partner. */
  linkActive: boolean | null;
  /** The duration of each service; empty: none has one. */
  serviceMinutes: readonly number[];
  serviceCategoryDerived: boolean;
  /** The reason of staff for taking the place against the rules; null: the rules apply. */
  anywayReason: string | null;
}

/**
 * Locks a partner's own booking, or with `partnerId` null (the workshop's side) any booking, until the transaction ends. Reads it
 * in a second statement after the lock: in one statement, a transaction that waited would still see the car that another update has
 * just replaced.
 */
export async function lockBooking(
  tx: Queryable,
  partnerId: string | null,
  bookingId: string,
): Promise<LockedBooking | null> {
  await tx.query(
    `SELECT FROM booking WHERE id = $1 AND ($2::uuid IS NULL OR partner_id = $2) FOR NO KEY UPDATE`,
    [bookingId, partnerId],
  );
  return readPlacedBooking(tx, partnerId, bookingId);
}

/** Reads the same without a lock, for display. */
export async function readPlacedBooking(
  db: Queryable,
  partnerId: string | null,
  bookingId: string,
): Promise<LockedBooking | null> {
  const [row] = await db.query<LockedBooking>(
    `SELECT ${bookingJson('b', 'c')} AS booking, b.version, b.partner_id, l.active AS link_active, ${placeOf('b')},
            b.service_minutes, b.service_category_derived, b.anyway_reason
       FROM booking b
       JOIN car c ON c.id = b.car_id
       LEFT JOIN link l ON l.partner_id = b.partner_id AND l.workshop_id = b.workshop_id
      WHERE b.id = $1 AND ($2::uuid IS NULL OR b.partner_id = $2)`,
    [bookingId, partnerId],
  );
  return row ?? null;
}

/** Locks a car, so that no booking can start to use it until the transaction ends. */
export async function lockCar(tx: Queryable, carId: string): Promise<void> {
  await tx.query(`SELECT FROM car WHERE id = $1 FOR UPDATE`, [carId]);
}

const changeParameters = {
  ...common,
  ...changed,
  ...placeColumns,
  /** The version of the workshop's set-up that the place was taken under; null: any version. */
  setupVersion: 'integer null',
  carId: 'uuid',
  customerId: 'uuid',
  regoChanged: 'boolean',
  /** The old time, for an event that moves the booking; null: it does not move. */
  previousDate: 'text null',
  /** The changed fields. */
  before: 'jsonb',
  after: 'jsonb',
  notifyWorkshop: 'boolean',
  /** The partner of the locked booking; null: the workshop's own. */
  partnerId: 'uuid null',
} as const;

export type BookingChange = Values<typeof changeParameters>;

const updateStatement = statement(
  changeParameters,
  ($) => `WITH ${endHoldsCte($('bookingId'))},
    the_customer AS (SELECT id, workshop_id FROM customer WHERE id = ${$('customerId')}),
    stays AS (SELECT id FROM the_customer WHERE NOT ${$('regoChanged')}),
    moved AS (${moveCar('stays', { carId: $('carId'), bookingId: $('bookingId'), now: $('now') })}),
    kept AS (SELECT car.* FROM car JOIN stays ON stays.id = car.customer_id WHERE car.id = ${$('carId')}),
    other AS (SELECT id, workshop_id FROM the_customer WHERE NOT EXISTS (SELECT FROM moved) AND NOT EXISTS (SELECT FROM kept)),
    made AS (${upsertCar('other', carParameters($))}),
    the_car AS (SELECT * FROM moved UNION ALL SELECT * FROM kept UNION ALL SELECT * FROM made),
    changed AS (
      UPDATE booking AS r SET customer_id = the_car.customer_id, car_id = the_car.id, ${countedAt($('now'))},
             ${changedAssignments($)}, ${detailAssignments($)}, ${placeAssignments($)}, anyway_reason = ${$('anywayReason')}
        FROM the_car LEFT JOIN ${earlierDetails('the_car', $('partnerId'))} ON the_car.id <> ${$('carId')}
       WHERE r.id = ${$('bookingId')} AND r.partner_id IS NOT DISTINCT FROM ${$('partnerId')}
         AND (${$('setupVersion')} IS NULL OR ${$('setupVersion')} = (SELECT setup_version FROM workshop WHERE workshop.id = r.workshop_id))
      RETURNING r.*),
    snapshot AS (SELECT b.*, ${bookingJson('b', 'c')} AS booking FROM changed b CROSS JOIN the_car c),
    recorded AS (
      ${insertEvents({
        ...{ from: 'snapshot', id: $('eventId'), kind: `'booking.updated'`, at: 'updated_at' },
        payload: {
          booking: 'booking',
          ...{ dateChanged: `${$('previousDate')} IS NOT NULL`, previousDate: $('previousDate') },
          ...{ notifyCustomer: $('notifyCustomer'), notifyWorkshop: $('notifyWorkshop') },
        },
        ...{ before: $('before'), after: $('after') },
        by: actorOf($),
      })})
    SELECT booking, version FROM snapshot`,
);

/**
 * Writes the whole next state of a locked booking of the customer `customerId`, and the event. If the booking goes to another
 * customer, its car goes with it; the caller has locked both. Null when the workshop's set-up has changed since: the transaction
 * must then not be committed.
 */
export async function writeBooking(tx: Queryable, change: BookingChange): Promise<BookingVersion | null> {
  const [row] = await tx.query<BookingVersion>(updateStatement.text, updateStatement.values(change));
  return row ?? null;
}

const statusColumns = {
  bookingId: 'uuid',
  eventId: 'uuid',
  /** The partner of the locked booking; null: the workshop's own. */
  partnerId: 'uuid null',
  status: 'text',
  /** The previous status. */
  previousStatus: 'text',
  /** Null for statuses other than `cancelled`. */
  cancelReason: 'text null',
  notifyCustomer: 'boolean',
  notifyWorkshop: 'boolean',
  now: 'timestamptz',
  ...actorColumns,
} as const;
const placeNames = Object.keys(placeColumns).map(columnOf);
const statusStatement = statement(
  statusColumns,
  ($) => `WITH ${endHoldsCte($('bookingId'))},
    ${changeCtes(bookingRecord, {
      kind: `'booking.' || r.status`,
      id: $('eventId'),
      set: `status = ${$('status')}, cancel_reason = ${$('cancelReason')},
             ${placeNames.map((column) => `${column} = CASE WHEN ${$('status')} <> 'cancelled' THEN r.${column} END`).join(', ')}`,
      where: `r.id = ${$('bookingId')} AND r.partner_id IS NOT DISTINCT FROM ${$('partnerId')}`,
      before: { status: $('previousStatus'), cancelReason: 'NULL' },
      after: { status: 'r.status', cancelReason: 'r.cancel_reason' },
      payload: {
        dateChanged: 'false',
        ...{ notifyCustomer: $('notifyCustomer'), notifyWorkshop: $('notifyWorkshop') },
      },
      ...{ now: $('now'), by: actorOf($) },
    })}
    SELECT booking, version FROM booking_snapshot`,
);

export interface StatusChange extends Values<typeof statusColumns> {
  readonly status: BookingStatus;
  readonly previousStatus: BookingStatus;
}

/** Gives a locked booking another status, and writes the event named after it. A cancelled booking releases its place. */
export async function writeStatus(tx: Queryable, change: StatusChange): Promise<BookingVersion> {
  const [row] = await tx.query<BookingVersion>(statusStatement.text, statusStatement.values(change));
  if (row === undefined) throw new Error('a locked booking could not be given a status');
  return row;
}
