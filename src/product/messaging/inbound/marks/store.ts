/** SQL of the marks on a talk that a text of the customer makes. The talk has a row: storing the text made it. */
import type { Queryable } from '#platform/db/database.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import { idsOf } from '#product/customers/merged/store.ts';

/** A stored text, and the row of the customer whose number it came from. */
export interface Heard {
  readonly workshopId: string;
  readonly customerId: string;
  readonly messageId: string;
}

/** Returns the kept customer; null when they have opted out already. */
export async function markAsked(
  tx: Queryable,
  { workshopId, customerId, messageId }: Heard,
): Promise<string | null> {
  const [row] = await tx.query<{ customerId: string }>(
    `UPDATE talk SET asked_id = $3 FROM customer k
      WHERE k.id = $2 AND k.workshop_id = $1 AND k.opted_out_at IS NULL AND talk.customer_id = coalesce(k.merged_into, k.id)
      RETURNING talk.customer_id`,
    [workshopId, customerId, messageId],
  );
  return row?.customerId ?? null;
}

/**
 * Marks the booking of the local day that the text may have meant: the next one, else the last; of those apart with that number
 * too. Null: there is none. `heardAt`, when the text came in, is business time.
 */
export async function markMeant(
  tx: Queryable,
  { workshopId, customerId, messageId }: Heard,
  heardAt: Date,
): Promise<{ readonly customerId: string; readonly bookingId: string } | null> {
  const [row] = await tx.query<{ customerId: string; bookingId: string }>(
    planByIndex(`WITH its AS MATERIALIZED (SELECT unnest(${idsOf('$2::uuid')}) AS id),
       theirs AS MATERIALIZED (
         SELECT id FROM its UNION SELECT apart.customer_id FROM its JOIN customer_apart apart ON apart.number_of = its.id),
       today AS MATERIALIZED (
         SELECT day AT TIME ZONE zone AS begins, (day + interval '1 day') AT TIME ZONE zone AS ends
           FROM (SELECT known_zone(timezone) AS zone, date_trunc('day', $4::timestamptz AT TIME ZONE known_zone(timezone)) AS day
                   FROM workshop WHERE id = $1) AS local),
       meant AS MATERIALIZED (
         SELECT b.id FROM today CROSS JOIN theirs CROSS JOIN LATERAL (
           SELECT id, date FROM booking
            WHERE customer_id = theirs.id AND workshop_id = $1 AND status IN ('pending', 'confirmed')
              AND date >= today.begins AND date < today.ends ORDER BY date, id) AS b
          ORDER BY b.date < $4, b.date, b.id LIMIT 1)
     UPDATE talk SET meant_id = $3, meant_booking_id = meant.id
       FROM meant, customer k
      WHERE k.id = $2 AND k.workshop_id = $1 AND talk.customer_id = coalesce(k.merged_into, k.id)
      RETURNING talk.customer_id, meant.id AS booking_id`),
    [workshopId, customerId, messageId, heardAt],
  );
  return row ?? null;
}
