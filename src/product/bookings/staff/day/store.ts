/** SQL of a workshop's day: the bookings that it begins, and those of earlier days that still keep a bay. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { type AttendanceState, attendanceOf } from '../../attendance/store.ts';
import type { BookingStatus } from '../../schema.ts';

/** A booking as the day shows it. */
export interface DayBooking {
  readonly id: string;
  readonly code: string;
  readonly status: BookingStatus;
  readonly date: Date;
  readonly pickupTime: Date | null;
  /** What it keeps a bay for; null: it keeps none. */
  readonly occupiedFrom: Date | null;
  readonly occupiedUntil: Date | null;
  /** How long its services take together; null: not known. */
  readonly minutes: number | null;
  /** Null: not given. */
  readonly customer: string | null;
  /** Null: not given. */
  readonly rego: string | null;
  /** `Toyota Corolla`; null: not known. */
  readonly model: string | null;
  readonly services: readonly string[];
  /** Whether it has words of the customer. */
  readonly hasNotes: boolean;
  readonly version: number;
  readonly attendance: AttendanceState;
}

/** More than a day of any workshop has. */
export const dayAtMost = 1_000;

/** Those of a day, or of several, by their date: at most `atMost`. Those of earlier days are of the last 31. */
export async function readDay(
  db: Queryable,
  workshopId: string,
  { start, end }: { readonly start: number; readonly end: number },
  atMost = dayAtMost,
): Promise<DayBooking[]> {
  return db.query<DayBooking>(
    planOnce(`WITH shown AS MATERIALIZED (
       SELECT id FROM booking WHERE workshop_id = $1 AND date >= $2 AND date < $3
        UNION ALL
       SELECT id FROM booking
        WHERE workshop_id = $1 AND occupied_until - occupied_from <= interval '24 hours'
          AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2
          AND occupied_until > $2 AND date < $2
        UNION ALL
       SELECT id FROM booking
        WHERE workshop_id = $1 AND occupied_until - occupied_from > interval '24 hours'
          AND occupied_until > $2 AND occupied_until < $2::timestamptz + interval '31 days'
          AND occupied_from < $2 AND date < $2
     )
     SELECT row.id, row.code, row.status, row.date, row.pickup_time, row.occupied_from, row.occupied_until,
            (SELECT nullif(sum(each), 0)::integer FROM unnest(row.service_minutes) AS each) AS minutes,
            row.contact_name AS customer, its_car.rego,
            nullif(concat_ws(' ', its_car.make, its_car.model), '') AS model,
            ARRAY(SELECT coalesce(each->>'title', each->>'catalogCode')
                    FROM jsonb_array_elements(row.services) AS each
                   WHERE coalesce(each->>'title', each->>'catalogCode') <> '') AS services,
            coalesce(row.notes, '') <> '' AS has_notes, row.version,
            ${attendanceOf('row')} AS attendance
       -- each by its key: joined as a set, all bookings and cars of the workshop would be read
       FROM shown CROSS JOIN LATERAL (SELECT * FROM booking WHERE id = shown.id OFFSET 0) AS row
      CROSS JOIN LATERAL (SELECT rego, make, model FROM car WHERE id = row.car_id OFFSET 0) AS its_car
      ORDER BY row.date, row.id LIMIT $4`),
    [workshopId, new Date(start), new Date(end), atMost],
  );
}

/** A booking of a period, as it is counted. */
export interface CountedBooking {
  readonly date: Date;
  readonly status: BookingStatus;
  /** The partner's name; null: the workshop's own. */
  readonly partner: string | null;
}

/** More than a month of a busy workshop. */
const countedAtMost = 20_000;

/** The bookings from one instant to before another, by their date. */
export async function countedBookings(
  db: Queryable,
  workshopId: string,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<CountedBooking[]> {
  return db.query<CountedBooking>(
    `SELECT b.date, b.status, partner.name AS partner FROM booking b LEFT JOIN partner ON partner.id = b.partner_id
      WHERE b.workshop_id = $1 AND b.date >= $2 AND b.date < $3 ORDER BY b.date, b.id LIMIT ${countedAtMost}`,
    [workshopId, new Date(start), new Date(end)],
  );
}
