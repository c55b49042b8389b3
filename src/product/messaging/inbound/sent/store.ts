/** SQL of what was sent to a phone before, which decides about what comes from it. */
import type { Queryable } from '#platform/db/database.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';

/** The last texts to this phone (E.164), of each workshop that knows it. */
export function findTextsTo(
  tx: Queryable,
  phone: string,
): Promise<{ readonly workshopId: string; readonly body: string }[]> {
  return tx.query(
    planByIndex(`SELECT m.workshop_id, m.body FROM customer k
       JOIN conversation c ON c.workshop_id = k.workshop_id AND c.customer_id = k.id
      CROSS JOIN LATERAL (
        SELECT workshop_id, body, direction, channel FROM message WHERE conversation_id = c.id ORDER BY id DESC LIMIT 100) AS m
     WHERE k.phone = $1 AND m.direction = 'outbound' AND m.channel = 'sms'`),
    [phone],
  );
}

/** Whether the customer was sent an answer to HELP at this number since then (business time). */
export async function wasHelped(
  tx: Queryable,
  to: { readonly workshopId: string; readonly customerId: string; readonly phone: string },
  since: Date,
): Promise<boolean> {
  const rows = await tx.query(
    planByIndex(`SELECT FROM message WHERE customer_id = $2 AND workshop_id = $1 AND kind = 'helpAnswer' AND recipient = $3
        AND created_at > $4 LIMIT 1`),
    [to.workshopId, to.customerId, to.phone, since],
  );
  return rows.length > 0;
}
