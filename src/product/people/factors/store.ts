/** SQL over all second factors of a person. */
import type { Queryable } from '#platform/db/database.ts';

/** A condition: the person with this id has a second factor. Recovery codes do not count. */
export const someFactor = (personId: string) => `(EXISTS (SELECT FROM totp WHERE totp.person_id = ${personId})
       OR EXISTS (SELECT FROM passkey WHERE passkey.person_id = ${personId}))`;

export async function hasFactor(db: Queryable, personId: string): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(`SELECT ${someFactor('$1')} AS has`, [personId]);
  return row?.has === true;
}

/** Deletes passkeys, the authenticator app and recovery codes. Resolves to the number of passkeys and apps. */
export async function deleteFactors(tx: Queryable, personId: string): Promise<number> {
  const rows = await tx.query(
    `WITH app AS (DELETE FROM totp WHERE person_id = $1 RETURNING true),
          keys AS (DELETE FROM passkey WHERE person_id = $1 RETURNING true),
          codes AS (DELETE FROM recovery_code WHERE person_id = $1)
     SELECT FROM app UNION ALL SELECT FROM keys`,
    [personId],
  );
  return rows.length;
}

/**
 * Deletes factors created in sessions for which an owner vouched, except an owner of this workshop: the owner may have created
 * them. Resolves to how many.
 */
export async function deleteVouchedFactors(
  tx: Queryable,
  personId: string,
  workshopId: string | null,
): Promise<number> {
  const rows = await tx.query(
    `WITH app AS (DELETE FROM totp
                   WHERE person_id = $1 AND vouched_by IS NOT NULL AND vouched_by IS DISTINCT FROM $2 RETURNING true),
          keys AS (DELETE FROM passkey
                    WHERE person_id = $1 AND vouched_by IS NOT NULL AND vouched_by IS DISTINCT FROM $2 RETURNING true)
     SELECT FROM app UNION ALL SELECT FROM keys`,
    [personId, workshopId],
  );
  return rows.length;
}

/** The workshops of this person that require a second factor, by name. */
export async function requiringWorkshops(db: Queryable, personId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT workshop.name FROM membership its JOIN workshop ON workshop.id = its.workshop_id
      WHERE its.person_id = $1 AND workshop.second_factor_required ORDER BY workshop.name LIMIT 3`,
    [personId],
  );
  return rows.map(({ name }) => name);
}
