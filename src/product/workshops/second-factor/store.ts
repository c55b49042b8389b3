/** SQL of whether a workshop requires a second factor of its people. */
import type { Queryable } from '#platform/db/database.ts';

export async function readRequirement(db: Queryable, workshopId: string): Promise<boolean> {
  const [row] = await db.query<{ required: boolean }>(
    'SELECT second_factor_required AS required FROM workshop WHERE id = $1',
    [workshopId],
  );
  return row?.required === true;
}

/** False: it was set already. */
export async function setRequirement(tx: Queryable, workshopId: string, required: boolean): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE workshop SET second_factor_required = $2 WHERE id = $1 AND second_factor_required <> $2 RETURNING true',
    [workshopId, required],
  );
  return rows.length > 0;
}
