/** SQL of a merge: counts of a customer's records, and writing the merge. */
import type { Queryable } from '#platform/db/database.ts';
import { carName } from '../cars/store.ts';
import { idsOf } from '../merged/store.ts';
import { workshopItself } from '../store.ts';

/** Counts of a customer's records, over all merged rows. */
export interface MergeCounts {
  readonly bookings: number;
  readonly quotes: number;
  /** SMS of the conversation, and e-mails. */
  readonly messages: number;
  readonly reminders: number;
  /** By registration; each car without one counts. */
  readonly cars: number;
}

export async function countOf(db: Queryable, workshopId: string, customerId: string): Promise<MergeCounts> {
  const count = (table: string) =>
    `(SELECT count(*)::integer FROM ${table} WHERE customer_id = ANY (its.ids) AND workshop_id = $1)`;
  const [row] = await db.query<MergeCounts>(
    `SELECT ${count('booking')} AS bookings, ${count('quote')} AS quotes, ${count('message')} AS messages,
            ${count('service_reminder')} AS reminders,
            (SELECT count(DISTINCT ${carName})::integer FROM car
              WHERE customer_id = ANY (its.ids) AND workshop_id = $1) AS cars
       FROM (SELECT ${idsOf('$2::uuid')} AS ids) AS its`,
    [workshopId, customerId],
  );
  if (row === undefined) throw new Error('a count has a row');
  return row;
}

/** The phone serves as the name until a name is known. */
const unnamed =
  '(kept.name IS NULL OR kept.name = kept.phone) AND gone.name IS NOT NULL AND gone.name IS DISTINCT FROM gone.phone';

const ifUnnamed = (column: string) => `CASE WHEN ${unnamed} THEN gone.${column} ELSE kept.${column} END`;
const ifWithoutEmail = (column: string) =>
  `CASE WHEN kept.email IS NULL THEN gone.${column} ELSE kept.${column} END`;
const noPlace = 'num_nonnulls(kept.address, kept.postcode, kept.suburb) = 0';
const ifPlaceless = (column: string) => `CASE WHEN ${noPlace} THEN gone.${column} ELSE kept.${column} END`;

/** Whether the kept row gets a value from the other. */
const learns = `(${unnamed} OR kept.email IS NULL AND gone.email IS NOT NULL OR kept.company IS NULL AND gone.company IS NOT NULL
      OR ${noPlace} AND num_nonnulls(gone.address, gone.postcode, gone.suburb) > 0)`;

export interface MergedRows {
  readonly workshopId: string;
  readonly keptId: string;
  readonly goneId: string;
  readonly now: Date;
}

/**
 * Merges two customers, whose rows are all locked. Missing values of the kept customer come from the other and count as the
 * workshop's own details: partners see none that they did not send. The earlier opt-out of either applies to both. Both versions
 * rise, so that a form shown before the merge is refused: its change would also affect the other customer.
 */
export async function writeMerge(
  tx: Queryable,
  { workshopId, keptId, goneId, now }: MergedRows,
): Promise<void> {
  const values = [workshopId, keptId, goneId, now];
  await tx.query(
    `UPDATE customer AS kept SET version = kept.version + 1, name = ${ifUnnamed('name')}, first_name = ${ifUnnamed('first_name')},
            last_name = ${ifUnnamed('last_name')},
            email = ${ifWithoutEmail('email')}, bounced_email = ${ifWithoutEmail('bounced_email')},
            email_bounced_at = ${ifWithoutEmail('email_bounced_at')}, email_bounce = ${ifWithoutEmail('email_bounce')},
            company = coalesce(kept.company, gone.company), address = ${ifPlaceless('address')}, postcode = ${ifPlaceless('postcode')},
            suburb = ${ifPlaceless('suburb')},
            tags = ARRAY(SELECT tag FROM unnest(kept.tags || gone.tags) AS all_tags (tag) GROUP BY tag ORDER BY tag),
            opted_out_at = least(kept.opted_out_at, gone.opted_out_at), updated_at = $4,
            details_from = CASE WHEN ${learns} AND NOT kept.details_from @> ARRAY['${workshopItself}'::uuid]
              THEN kept.details_from || '${workshopItself}'::uuid ELSE kept.details_from END
       FROM customer AS gone
      WHERE kept.id = $2 AND kept.workshop_id = $1 AND gone.id = $3 AND gone.workshop_id = $1`,
    values,
  );
  await tx.query(
    `UPDATE customer AS gone SET merged_into = kept.id, opted_out_at = kept.opted_out_at, updated_at = $4
       FROM customer AS kept
      WHERE kept.id = $2 AND kept.workshop_id = $1 AND gone.workshop_id = $1 AND (gone.id = $3 OR gone.merged_into = $3)`,
    values,
  );
}
