/** SQL of PINs. By the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { isOpen } from '../../sessions/store.ts';

/** In the place of the one before. */
export async function putPin(tx: Queryable, personId: string, sealed: string): Promise<void> {
  await tx.query(
    `INSERT INTO person_pin (person_id, sealed, set_at) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (person_id) DO UPDATE SET sealed = excluded.sealed, set_at = excluded.set_at`,
    [personId, sealed],
  );
}

/** The same PIN under the present key, unless another was set meanwhile. */
export async function resealPin(
  tx: Queryable,
  personId: string,
  from: string,
  sealed: string,
): Promise<void> {
  await tx.query('UPDATE person_pin SET sealed = $3 WHERE person_id = $1 AND sealed = $2', [
    personId,
    from,
    sealed,
  ]);
}

/** Ends what only the PIN could bring back. False when there was none. */
export async function deletePin(tx: Queryable, personId: string): Promise<boolean> {
  const rows = await tx.query(
    `WITH gone AS (DELETE FROM person_pin WHERE person_id = $1 RETURNING person_id),
          ended AS (UPDATE session SET ended_at = clock_timestamp() FROM gone
                     WHERE session.person_id = gone.person_id AND session.put_aside_at IS NOT NULL AND ${isOpen('session')})
     SELECT true FROM gone`,
    [personId],
  );
  return rows.length > 0;
}

/** When it was set; null: the person has none. */
export async function findPinDate(db: Queryable, personId: string): Promise<Date | null> {
  const [row] = await db.query<{ setAt: Date }>('SELECT set_at FROM person_pin WHERE person_id = $1', [
    personId,
  ]);
  return row?.setAt ?? null;
}
