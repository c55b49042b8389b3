/** SQL of bookings imported from another system: the workshop's own bookings, without an event, so that nobody is notified. */

import { type Actor, storedActor } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import type { PlaceColumns } from '#product/availability/places/place.ts';
import type { BookingStatus } from '../schema.ts';
import type { ServiceColumns } from '../services.ts';

export interface ImportedBookingRow extends PlaceColumns, ServiceColumns {
  readonly id: string;
  readonly code: string;
  readonly customerId: string;
  readonly carId: string;
  readonly status: BookingStatus;
  readonly date: Date;
  readonly notes: string | null;
  readonly contactName: string | null;
  readonly contactFirstName: string | null;
  readonly contactLastName: string | null;
  readonly contactEmail: string | null;
  /** E.164. */
  readonly contactPhone: string | null;
  readonly contactCompany: string | null;
  readonly carYear: number | null;
  readonly carMake: string | null;
  readonly carModel: string | null;
  readonly carBadge: string | null;
  readonly carVin: string | null;
  /** Why the rules do not apply to its place; null: it has no place. */
  readonly anywayReason: string | null;
}

const columns = {
  ...{
    id: 'uuid',
    code: 'text',
    customer_id: 'uuid',
    car_id: 'uuid',
    status: 'text',
    date: 'timestamptz',
    notes: 'text',
  },
  ...{ contact_name: 'text', contact_first_name: 'text', contact_last_name: 'text', contact_email: 'text' },
  ...{ contact_phone: 'text', contact_company: 'text', anyway_reason: 'text' },
  ...{ car_year: 'integer', car_make: 'text', car_model: 'text', car_badge: 'text', car_vin: 'text' },
  ...{
    services: 'jsonb',
    service_minutes: 'integer[]',
    service_category: 'text',
    service_category_derived: 'boolean',
  },
  ...{
    occupied_from: 'timestamptz',
    occupied_until: 'timestamptz',
    counted_services: 'uuid[]',
    counted_categories: 'text[]',
  },
  ...{ place_version: 'integer', held_to: 'text' },
};
const names = Object.keys(columns).join(', ');
const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
const insertText = `INSERT INTO booking (workshop_id, created_at, updated_at, ${names})
  SELECT $1, $3, $3, ${names} FROM jsonb_to_recordset($2::jsonb) AS b (${typed.join(', ')})`;

/** Throws a violation of `booking_code` when a code is in use. */
export async function insertImported(
  tx: Queryable,
  workshopId: string,
  rows: readonly ImportedBookingRow[],
  at: Date,
): Promise<void> {
  if (rows.length > 0) await tx.query(insertText, [workshopId, recordset(rows), at]);
}

/** Marks bookings, which have been inserted just now, as those of customers who did not come. */
export async function markNotCome(
  tx: Queryable,
  workshopId: string,
  {
    bookingIds,
    actor,
    at,
  }: { readonly bookingIds: readonly string[]; readonly actor: Actor; readonly at: Date },
): Promise<void> {
  if (bookingIds.length === 0) return;
  await tx.query(
    `INSERT INTO attendance (booking_id, state, actor, at)
     SELECT id, 'didNotCome', $3, $4 FROM booking WHERE id = ANY ($2::uuid[]) AND workshop_id = $1`,
    [workshopId, bookingIds, storedActor(actor), at],
  );
}

/** The values that tell a booking of a file from others at its time. */
export interface SoughtBooking {
  readonly date: Date;
  /** E.164. */
  readonly phone: string | null;
  readonly rego: string | null;
  readonly name: string | null;
}

const thereText = planByIndex(`SELECT count(*)::int AS count
  FROM jsonb_to_recordset($2::jsonb) AS s (date timestamptz, phone text, rego text, name text)
 WHERE EXISTS (
   SELECT FROM booking JOIN car ON car.id = booking.car_id
    WHERE booking.workshop_id = $1 AND booking.date = s.date
      AND (booking.contact_phone = s.phone OR car.rego = s.rego OR lower(booking.contact_name) = lower(s.name)))`);

/** How many of them the workshop has a booking of: at that time, with the same number, registration or name. */
export async function countThere(
  db: Queryable,
  workshopId: string,
  sought: readonly SoughtBooking[],
): Promise<number> {
  if (sought.length === 0) return 0;
  const [row] = await db.query<{ count: number }>(thereText, [workshopId, recordset(sought)]);
  return row?.count ?? 0;
}
