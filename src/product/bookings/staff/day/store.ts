/** SQL of a workshop's days: the bookings that begin in them, and earlier bookings that still occupy a bay. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { type AttendanceState, attendanceOf } from '../../attendance/store.ts';
import type { BookingStatus } from '../../schema.ts';

/** A booking with its place on the day. */
export interface PlacedBooking {
  readonly id: string;
  readonly status: BookingStatus;
  readonly date: Date;
  /** The time for which it occupies a bay; null: it occupies none. */
  readonly occupiedFrom: Date | null;
  readonly occupiedUntil: Date | null;
  /** The duration of all services together; null: unknown. */
  readonly minutes: number | null;
  readonly attendance: AttendanceState;
}

/** A booking as the day view shows it. */
export interface DayBooking extends PlacedBooking {
  readonly customerId: string;
  readonly code: string;
  readonly pickupTime: Date | null;
  /** Null: not given. */
  readonly customer: string | null;
  /** Null: not given. */
  readonly rego: string | null;
  /** `Toyota Corolla`; null: unknown. */
  readonly model: string | null;
  readonly services: readonly string[];
  /** Whether the customer left notes. */
  readonly hasNotes: boolean;
  /** Whether there are notes on the work, parts or tyres. */
  readonly hasJob: boolean;
  readonly version: number;
}

/** One day, or several consecutive ones: from an instant to before another, in milliseconds. */
export interface Days {
  readonly start: number;
  readonly end: number;
}

/** More bookings than any workshop has in a day. */
export const dayAtMost = 1_000;

/** SQL: the columns of `PlacedBooking`, from the booking row `row`. */
const placed = `row.id, row.status, row.date, row.occupied_from, row.occupied_until,
            (SELECT nullif(sum(each), 0)::integer FROM unnest(row.service_minutes) AS each) AS minutes,
            ${attendanceOf('row')} AS attendance`;

/**
 * SQL: columns of the bookings of workshop `$1` from `$2` to before `$3`. Earlier bookings that still occupy a bay are searched in
 * the last 31 days.
 */
const inDays = (
  columns: string,
) => `SELECT ${columns} FROM booking WHERE workshop_id = $1 AND date >= $2 AND date < $3
        UNION ALL
       SELECT ${columns} FROM booking
        WHERE workshop_id = $1 AND occupied_until - occupied_from <= interval '24 hours'
          AND occupied_from >= $2::timestamptz - interval '24 hours' AND occupied_from < $2
          AND occupied_until > $2 AND date < $2
        UNION ALL
       SELECT ${columns} FROM booking
        WHERE workshop_id = $1 AND occupied_until - occupied_from > interval '24 hours'
          AND occupied_until > $2 AND occupied_until < $2::timestamptz + interval '31 days'
          AND occupied_from < $2 AND date < $2`;

/**
 * SQL: the bookings whose ids are in the set `shown`, each fetched by primary key. A join of the whole set would read all bookings
 * and cars of the workshop.
 */
const asShown = (where: string) => `SELECT ${placed}, row.code, row.pickup_time,
            row.customer_id, row.contact_name AS customer, its_car.rego,
            nullif(concat_ws(' ', its_car.make, its_car.model), '') AS model,
            ARRAY(SELECT coalesce(each->>'title', each->>'catalogCode')
                    FROM jsonb_array_elements(row.services) AS each
                   WHERE coalesce(each->>'title', each->>'catalogCode') <> '') AS services,
            coalesce(row.notes, '') <> '' AS has_notes,
            (cardinality(row.job_notes), cardinality(row.product_notes), coalesce(row.tyre_quantities, 0)) <> (0, 0, 0) AS has_job,
            row.version
       FROM shown CROSS JOIN LATERAL (SELECT * FROM booking WHERE id = shown.id ${where} OFFSET 0) AS row
      CROSS JOIN LATERAL (SELECT rego, make, model FROM car WHERE id = row.car_id OFFSET 0) AS its_car
      ORDER BY row.date, row.id`;

/** By date, at most `atMost`. */
export async function readDay(
  db: Queryable,
  workshopId: string,
  { start, end }: Days,
  atMost: number,
): Promise<DayBooking[]> {
  return db.query<DayBooking>(
    planOnce(`WITH shown AS MATERIALIZED (
       ${inDays('id')}
     )
     ${asShown('')} LIMIT $4`),
    [workshopId, new Date(start), new Date(end), atMost],
  );
}

/**
 * The fields of `PlacedBooking` as one list each, in the order of the bookings; instants in milliseconds. Null: there is no
 * booking.
 */
interface PlacedLists {
  readonly ids: readonly string[] | null;
  readonly statuses: readonly BookingStatus[];
  readonly dates: readonly number[];
  readonly froms: readonly (number | null)[];
  readonly untils: readonly (number | null)[];
  /** `{30,60}`: the durations of the services, in PostgreSQL's array syntax. */
  readonly minutes: readonly (string | null)[];
  readonly attendances: readonly AttendanceState[];
}

/** SQL: a column of the ordered set as a list. */
const listed = (column: string) => `json_agg(${column})`;
const milliseconds = (at: string) => `(date_part('epoch', ${at}) * 1000)::bigint`;

/**
 * The same without display fields. A busy week has thousands of bookings, and reading lists is five times as fast as reading rows.
 */
export async function readPlaced(
  db: Queryable,
  workshopId: string,
  { start, end }: Days,
  atMost: number,
): Promise<PlacedBooking[]> {
  const [lists] = await db.query<PlacedLists>(
    planOnce(`SELECT ${listed('id')} AS ids, ${listed('status')} AS statuses, ${listed('service_minutes::text')} AS minutes,
            ${listed(attendanceOf('row'))} AS attendances, ${listed(milliseconds('date'))} AS dates,
            ${listed(milliseconds('occupied_from'))} AS froms, ${listed(milliseconds('occupied_until'))} AS untils
       FROM (${inDays('id, status, date, occupied_from, occupied_until, service_minutes')} ORDER BY date, id LIMIT $4) AS row`),
    [workshopId, new Date(start), new Date(end), atMost],
  );
  if (lists === undefined || lists.ids === null) return [];
  const { ids, statuses, dates, froms, untils, minutes, attendances } = lists;
  const at = (instant: number | null | undefined) => (instant == null ? null : new Date(instant));
  return ids.map((id, n) => ({
    ...{ id, status: statuses[n] ?? 'pending', date: new Date(dates[n] ?? 0) },
    ...{ occupiedFrom: at(froms[n]), occupiedUntil: at(untils[n]), minutes: sumOf(minutes[n] ?? '') },
    attendance: attendances[n] ?? 'expected',
  }));
}

/** Null: unknown. Computing it in SQL would double the time of the query. */
const sumOf = (minutes: string): number | null =>
  (minutes.match(/\d+/g) ?? []).reduce((sum, each) => sum + Number(each), 0) || null;

/** The bookings of the workshop with these ids, by date. */
export async function readShown(
  db: Queryable,
  workshopId: string,
  ids: readonly string[],
): Promise<DayBooking[]> {
  if (ids.length === 0) return [];
  return db.query<DayBooking>(
    planOnce(`WITH shown AS MATERIALIZED (SELECT unnest($2::uuid[]) AS id)
     ${asShown('AND workshop_id = $1')}`),
    [workshopId, ids],
  );
}
