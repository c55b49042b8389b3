/** SQL of the keys of forms that were sent. */
import type { Queryable } from '#platform/db/database.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';

export interface SentForm {
  readonly personId: string;
  readonly key: string;
  /** The path that its sender was redirected to. */
  readonly location: string;
}

/** Null: the form was not sent yet. */
export async function findLocation(
  db: Queryable,
  { personId, key }: Omit<SentForm, 'location'>,
): Promise<string | null> {
  const [row] = await db.query<{ location: string }>(
    'SELECT location FROM form_key WHERE person_id = $1 AND key = $2',
    [personId, key],
  );
  return row?.location ?? null;
}

/**
 * Runs first in the transaction of the form's change: a concurrent repeat waits for it, and violates `form_key_pkey` when it commits.
 */
export async function beginForm(tx: Queryable, { personId, key, location }: SentForm): Promise<void> {
  await tx.query(
    'INSERT INTO form_key (person_id, key, location, created_at) VALUES ($1, $2, $3, clock_timestamp())',
    [personId, key, location],
  );
}

/** Runs last in that transaction, where the address depends on what was made. */
export async function setLocation(tx: Queryable, { personId, key, location }: SentForm): Promise<void> {
  await tx.query('UPDATE form_key SET location = $3 WHERE person_id = $1 AND key = $2', [
    personId,
    key,
    location,
  ]);
}

const deleteOldText = planByIndex(
  `DELETE FROM form_key WHERE (person_id, key) IN (
       SELECT person_id, key FROM form_key WHERE created_at < (SELECT clock_timestamp() - interval '24 hours')
        ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING true`,
);

/** Deletes up to `limit` keys of forms that were sent more than 24 hours ago; returns how many. */
export async function deleteOldKeys(db: Queryable, limit: number): Promise<number> {
  return (await db.query(deleteOldText, [limit])).length;
}
