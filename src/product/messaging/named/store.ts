/** SQL of the customer that a request names, by id or by phone, and of one of their bookings. */
import type { Queryable } from '#platform/db/database.ts';

export interface Named {
  readonly customerFound: boolean;
  readonly bookingFound: boolean;
  readonly bookingIsTheirs: boolean;
}

/**
 * An SQL expression: the key under which the rate limit counts customer `c`, who has a phone. All rows of a merged customer count
 * as the kept one.
 */
export const ratedAs = (c: string): string =>
  `CASE WHEN ${c}.merged_into IS NULL THEN ${c}.phone
      ELSE (SELECT coalesce(kept.phone, kept.id::text) FROM customer kept WHERE kept.id = ${c}.merged_into) END`;

/**
 * CTEs over the calls of `gate` (with `ordinal`, `partner_id`, `workshop_id`, `customer_id`, `phone` and `booking_id`): `person`,
 * the customer that each call names, by id if given; and `its_booking`, the partner's booking at the workshop.
 */
export const namedCtes = `person AS MATERIALIZED (
      SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL AS opted_out, ${ratedAs('c')} AS rated_as
        FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.id = gate.customer_id AND c.phone IS NOT NULL
      UNION ALL
      SELECT gate.ordinal, c.id, c.merged_into, c.phone, c.opted_out_at IS NOT NULL, ${ratedAs('c')}
        FROM gate JOIN customer c ON c.workshop_id = gate.workshop_id AND c.phone = gate.phone WHERE gate.customer_id IS NULL),
    its_booking AS MATERIALIZED (
      SELECT gate.ordinal, b.id, b.customer_id, b.date FROM gate
        JOIN booking b ON b.id = gate.booking_id AND b.workshop_id = gate.workshop_id AND b.partner_id = gate.partner_id)`;

/** Joins to put after `gate`. */
export const namedJoins = `LEFT JOIN person ON person.ordinal = gate.ordinal
      LEFT JOIN its_booking ON its_booking.ordinal = gate.ordinal`;

export const namedColumns = `person.id IS NOT NULL AS customer_found, its_booking.id IS NOT NULL AS booking_found,
           coalesce(its_booking.customer_id = person.id, false) AS booking_is_theirs`;

/**
 * A condition on `gate` with its `namedJoins`: the named customer exists, and the named booking is theirs, unless `exempt` holds.
 */
export const namesTheirs = (exempt: string) => `(gate.customer_id IS NULL OR person.id IS NOT NULL)
         AND (gate.booking_id IS NULL OR its_booking.customer_id = person.id OR ${exempt})`;

/** The customer and booking of a request, as a row; ids are UUIDs. */
export interface Naming {
  readonly customerId: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly bookingId: string | null;
}

const readText = `WITH gate AS MATERIALIZED (
      SELECT 1 AS ordinal, $1::uuid AS partner_id, $2::uuid AS workshop_id, $3::uuid AS customer_id, $4::text AS phone,
             $5::uuid AS booking_id),
    ${namedCtes}
  SELECT ${namedColumns}, person.id AS customer_id, its_booking.date AS booking_date FROM gate ${namedJoins}`;

export interface ReadNamed extends Named {
  readonly customerId: string | null;
  readonly bookingDate: Date | null;
}

/** Reads what a request names; the caller has checked that the partner may use the workshop. */
export async function readNamed(
  db: Queryable,
  of: Naming & { readonly partnerId: string; readonly workshopId: string },
): Promise<ReadNamed> {
  const { partnerId, workshopId, customerId, phone, bookingId } = of;
  const [row] = await db.query<ReadNamed>(readText, [partnerId, workshopId, customerId, phone, bookingId]);
  if (row === undefined) throw new Error('a statement over one call returned no row');
  return row;
}
