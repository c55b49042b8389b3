/** SQL that finds the customer when a gateway refuses an SMS because of an opt-out. */
import type { Queryable } from '#platform/db/database.ts';
import { tookIt } from '../report/segments/store.ts';

export interface Recipient {
  readonly customerId: string;
  readonly workshopId: string;
}

/** The customer that this attempt's SMS was sent to; null when it was for a workshop, or another gateway had it. */
export async function recipientOf(
  db: Queryable,
  attemptId: string,
  gateway: string,
): Promise<Recipient | null> {
  const [row] = await db.query<Recipient>(
    `SELECT m.customer_id, m.workshop_id
       FROM message_attempt a JOIN message m ON m.id = a.message_id
      WHERE a.id = $1 AND m.channel = 'sms' AND m.audience = 'customer' AND m.customer_id IS NOT NULL AND ${tookIt('$2', 'a.gateway')}`,
    [attemptId, gateway],
  );
  return row ?? null;
}
