/** SQL of addresses that sign in the demo's owner, once and within ten minutes of the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';

export async function insertSignInAddress(
  tx: Queryable,
  tokenSha256: Buffer,
  personId: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO sign_in_address (token_sha256, person_id, expires_at) VALUES ($1, $2, clock_timestamp() + interval '10 minutes')`,
    [tokenSha256, personId],
  );
}

/** The person it signs in; null: it was used, has expired, or does not exist. */
export async function useSignInAddress(tx: Queryable, tokenSha256: Buffer): Promise<string | null> {
  const [row] = await tx.query<{ personId: string }>(
    `WITH used AS (DELETE FROM sign_in_address WHERE token_sha256 = $1 RETURNING person_id, expires_at)
     SELECT person_id FROM used WHERE expires_at > (SELECT clock_timestamp())`,
    [tokenSha256],
  );
  return row?.personId ?? null;
}
