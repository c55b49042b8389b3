/** SQL of customers' tags. */
import type { Queryable } from '#platform/db/database.ts';

export interface TagsChanged {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Adds and removes tags; they are stored sorted, each once. Null: an erased customer can't have tags. */
export async function changeTags(
  tx: Queryable,
  id: string,
  add: readonly string[],
  remove: readonly string[],
  at: Date,
): Promise<TagsChanged | null> {
  const [changed] = await tx.query<TagsChanged>(
    `UPDATE customer SET updated_at = $4,
            tags = ARRAY(
              SELECT tag FROM (SELECT unnest(was.tags || $2::text[]) EXCEPT SELECT unnest($3::text[])) AS kept (tag) ORDER BY tag)
       FROM (SELECT id, tags FROM customer WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE) AS was
      WHERE customer.id = was.id RETURNING was.tags AS before, customer.tags AS after`,
    [id, add, remove, at],
  );
  return changed ?? null;
}
