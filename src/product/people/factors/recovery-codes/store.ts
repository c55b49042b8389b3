/** SQL of recovery codes. */
import type { Queryable } from '#platform/db/database.ts';

export async function replaceCodes(
  tx: Queryable,
  personId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await deleteCodes(tx, personId);
  await tx.query('INSERT INTO recovery_code (person_id, code_sha256) SELECT $1, unnest($2::bytea[])', [
    personId,
    hashes,
  ]);
}

export async function deleteCodes(tx: Queryable, personId: string): Promise<void> {
  await tx.query('DELETE FROM recovery_code WHERE person_id = $1', [personId]);
}

/** The number of unused codes. */
export async function countCodes(db: Queryable, personId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM recovery_code WHERE person_id = $1',
    [personId],
  );
  return row?.count ?? 0;
}

/** False: there is no such code, or it was used. */
export async function useCode(tx: Queryable, personId: string, sha256: Buffer): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM recovery_code WHERE person_id = $1 AND code_sha256 = $2 RETURNING true',
    [personId, sha256],
  );
  return rows.length > 0;
}
