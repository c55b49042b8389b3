/** SQL of the workshop's own SMS: whom they go to, and the limit that partners' messages count under too. */
import type { Queryable } from '#platform/db/database.ts';
import { passedCte } from '../store.ts';
import type { Addressee } from './sms.ts';

const letInText = `WITH asked AS (SELECT $1::uuid AS workshop_id, $2::text AS phone), ${passedCte('asked')} SELECT used FROM passed`;

/** Counts one more SMS to this person within the second; false when that is too many. */
export async function isLetIn(tx: Queryable, workshopId: string, phone: string): Promise<boolean> {
  return (await tx.query(letInText, [workshopId, phone])).length > 0;
}

/** The customer of the workshop with this id, or null. */
export async function findAddressee(
  db: Queryable,
  workshopId: string,
  customerId: string,
): Promise<Addressee | null> {
  const [found] = await db.query<Addressee>(
    `SELECT workshop_id, id AS customer_id, phone, opted_out_at IS NOT NULL AS opted_out, erased_at IS NOT NULL AS is_erased
       FROM customer WHERE id = $2 AND workshop_id = $1`,
    [workshopId, customerId],
  );
  return found ?? null;
}
