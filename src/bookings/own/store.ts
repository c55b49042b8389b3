/** SQL of the workshop's side: all bookings of a workshop, of any partner. */

import { hasBounced } from '#customers/store.ts';
import type { Queryable } from '#db/database.ts';
import { filterParameters } from '#db/filters.ts';
import { instantJson } from '#db/json.ts';
import { lowestId } from '#db/page-bounds.ts';
import type { Booking, BookingStatus } from '../schema.ts';
import { bookingJson } from '../snapshot.ts';

/** A booking as its workshop sees it. */
export interface WorkshopBooking extends Booking {
  /** Null: the workshop's own. */
  readonly partnerId: string | null;
  readonly partner: string | null;
  /** The workshop's time zone; IANA name. */
  readonly timezone: string;
  /** Of the workshop; ISO 3166. */
  readonly country: string;
  /** When its services are done, or its slot is over where none has a duration; null: it has neither. RFC 3339. */
  readonly endsAt: string | null;
  /** Why e-mails to the booking's address come back; null: none did. */
  readonly emailBounce: string | null;
}

const minutes = '(SELECT nullif(sum(each), 0) FROM unnest(b.service_minutes) AS each)';
const endsAt = instantJson(`coalesce(b.date + ${minutes} * interval '1 minute', b.occupied_until)`);

const columns = `${bookingJson('b', 'c')} || jsonb_build_object('partnerId', b.partner_id, 'partner', p.name, 'timezone', w.timezone,
  'country', w.country, 'endsAt', ${endsAt},
  'emailBounce', CASE WHEN ${hasBounced('k', 'b.contact_email')} THEN k.email_bounce END) AS booking`;
const joins = `JOIN car c ON c.id = b.car_id JOIN workshop w ON w.id = b.workshop_id JOIN customer k ON k.id = b.customer_id LEFT JOIN partner p ON p.id = b.partner_id`;

/** Finds a booking by its id or code. */
export async function findWorkshopBooking(
  db: Queryable,
  by: { readonly id: string } | { readonly code: string },
): Promise<WorkshopBooking | null> {
  const [row] = await db.query<{ booking: WorkshopBooking }>(
    'id' in by
      ? `SELECT ${columns} FROM booking b ${joins} WHERE b.id = $1`
      : `SELECT ${columns} FROM booking b ${joins} WHERE b.code = $1`,
    ['id' in by ? by.id : by.code],
  );
  return row?.booking ?? null;
}

export interface WorkshopBookings {
  readonly workshopId: string;
  readonly from: Date;
  readonly to: Date | null;
  readonly statuses: readonly BookingStatus[];
  /** Null: of all. */
  readonly customerId: string | null;
  readonly partnerId: string | null;
  /** Parts; a rego as it is stored, a phone by digits or E.164. */
  readonly rego?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly phone?: string | null | undefined;
  /** The last booking of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

const bookingFilters = {
  customerId: { type: 'uuid', is: (value: string) => `b.customer_id = ${value}` },
  partnerId: { type: 'uuid', is: (value: string) => `b.partner_id = ${value}` },
  rego: { type: 'text', is: (value: string) => `strpos(c.rego, ${value}) > 0` },
  name: { type: 'text', is: (value: string) => `strpos(lower(b.contact_name), lower(${value})) > 0` },
  phone: { type: 'text', is: (value: string) => `strpos(b.contact_phone, ${value}) > 0` },
};

/** A workshop's bookings by date: the index of dates is read until the page is full, and no other workshop's rows. */
export async function listWorkshopBookings(db: Queryable, of: WorkshopBookings): Promise<WorkshopBooking[]> {
  const { conditions, values } = filterParameters(bookingFilters, of, 7);
  const rows = await db.query<{ booking: WorkshopBooking }>(
    `SELECT ${columns} FROM booking b ${joins}
      WHERE b.workshop_id = $1 AND b.date >= $2 AND b.date < coalesce($3::timestamptz, 'infinity') AND b.status = ANY ($4::text[])
        AND (b.date, b.id) > (coalesce((SELECT date FROM booking WHERE id = $5::uuid), '-infinity'), coalesce($5::uuid, '${lowestId}'))
        ${conditions.map((condition) => `AND ${condition}`).join(' ')}
      ORDER BY b.date, b.id LIMIT $6`,
    [of.workshopId, of.from, of.to, of.statuses, of.after, of.limit, ...values],
  );
  return rows.map(({ booking }) => booking);
}

/** The bookings that occupy some of the time from `from` to `until`, by their date: the first 50. */
export async function listOccupying(
  db: Queryable,
  workshopId: string,
  from: Date,
  until: Date,
): Promise<WorkshopBooking[]> {
  const sorts = [
    `occupied_until - occupied_from <= interval '24 hours' AND occupied_from >= $2::timestamptz - interval '24 hours'`,
    `occupied_until - occupied_from > interval '24 hours'`,
  ].map(
    (sort) =>
      `SELECT id FROM booking WHERE workshop_id = $1 AND ${sort} AND occupied_from < $3 AND occupied_until > $2`,
  );
  const rows = await db.query<{ booking: WorkshopBooking }>(
    `SELECT ${columns} FROM (${sorts.join(' UNION ALL ')}) AS occupying JOIN booking b USING (id) ${joins} ORDER BY b.date, b.id LIMIT 50`,
    [workshopId, from, until],
  );
  return rows.map(({ booking }) => booking);
}
