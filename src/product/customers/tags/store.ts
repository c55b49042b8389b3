/** SQL of customers' tags. */
import type { Queryable } from '#platform/db/database.ts';

/** Adds and removes tags; they are kept sorted, each once. An erased customer gets none. */
export async function changeTags(
  tx: Queryable,
  id: string,
  add: readonly string[],
  remove: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE customer SET updated_at = $4,
            tags = ARRAY(SELECT tag FROM (SELECT unnest(tags || $2::text[]) EXCEPT SELECT unnest($3::text[])) AS kept (tag) ORDER BY tag)
      WHERE id = $1 AND erased_at IS NULL`,
    [id, add, remove, at],
  );
}
