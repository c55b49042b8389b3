/** SQL of the list of customers. */
import type { Queryable } from '#platform/db/database.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { idsOf } from '#product/customers/merged/store.ts';

export interface ListedCustomer {
  readonly customerId: string;
  /** Null: not given. */
  readonly name: string | null;
  /** E.164; null: not given. */
  readonly phone: string | null;
  readonly optedOut: boolean;
  readonly tags: readonly string[];
  /** The regos of the cars that came last: five at most. */
  readonly regos: readonly string[];
  readonly createdAt: Date;
}

/** A workshop's customers, the newest first. */
export async function listLatest(
  db: Queryable,
  { workshopId, before, limit }: LatestPage,
): Promise<ListedCustomer[]> {
  return db.query<ListedCustomer>(
    `SELECT k.id AS customer_id, k.name, k.phone, k.opted_out_at IS NOT NULL AS opted_out, k.tags, k.created_at,
            ARRAY(SELECT rego FROM car WHERE car.customer_id = ANY (${idsOf('k.id')}) AND rego IS NOT NULL
               GROUP BY rego ORDER BY max(updated_at) DESC, rego LIMIT 5) AS regos
       FROM customer k
      WHERE k.workshop_id = $1 AND ${beforeId('k.id', '$2')} AND k.erased_at IS NULL AND k.merged_into IS NULL
      ORDER BY k.id DESC LIMIT $3`,
    [workshopId, before, limit],
  );
}

export interface LatestPage {
  readonly workshopId: string;
  /** The last customer of the previous page; null: the first page. */
  readonly before: string | null;
  readonly limit: number;
}
