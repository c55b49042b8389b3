/** SQL of PINs, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { isOpen } from '../../sessions/store.ts';

export interface NewPin {
  readonly personId: string;
  readonly sealed: string;
  /** The workshop whose owner vouched for the session in which it is set. */
  readonly vouchedBy: string | null;
}

/** Replaces the previous one. */
export async function putPin(tx: Queryable, { personId, sealed, vouchedBy }: NewPin): Promise<void> {
  await tx.query(
    `INSERT INTO person_pin (person_id, sealed, vouched_by, set_at) VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (person_id) DO UPDATE SET sealed = excluded.sealed, vouched_by = excluded.vouched_by, set_at = excluded.set_at`,
    [personId, sealed, vouchedBy],
  );
}

/** Stores the same PIN sealed with the present key, unless another PIN was set since. */
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

/** Deletes the PIN and ends the sessions that only it could resume. False when there was none. */
export async function deletePin(tx: Queryable, personId: string): Promise<boolean> {
  const rows = await tx.query(deleting('person_id = $1'), [personId]);
  return rows.length > 0;
}

/**
 * The same for a PIN set in a session for which an owner vouched, unless it was an owner of this workshop: the owner may know the
 * PIN.
 */
export async function deleteVouchedPin(
  tx: Queryable,
  personId: string,
  workshopId: string | null,
): Promise<boolean> {
  const which = 'person_id = $1 AND vouched_by IS NOT NULL AND vouched_by IS DISTINCT FROM $2::uuid';
  const rows = await tx.query(deleting(which), [personId, workshopId]);
  return rows.length > 0;
}

const deleting = (which: string) =>
  `WITH gone AS (DELETE FROM person_pin WHERE ${which} RETURNING person_id),
        ended AS (UPDATE session SET ended_at = clock_timestamp() FROM gone
                   WHERE session.person_id = gone.person_id AND session.put_aside_at IS NOT NULL AND ${isOpen('session')})
   SELECT true FROM gone`;

/** When it was set; null: the person has none. */
export async function findPinDate(db: Queryable, personId: string): Promise<Date | null> {
  const [row] = await db.query<{ setAt: Date }>('SELECT set_at FROM person_pin WHERE person_id = $1', [
    personId,
  ]);
  return row?.setAt ?? null;
}
