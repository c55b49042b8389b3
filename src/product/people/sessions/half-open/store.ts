/** SQL of sign-ins that still need the second factor: ten minutes of the machine's clock, one for each browser. */
import type { Queryable } from '#platform/db/database.ts';
import { someFactor } from '../../factors/store.ts';

export interface HalfSignIn {
  readonly personId: string;
  readonly email: string;
  /** The workshop whose owner printed the code. */
  readonly vouchedBy: string | null;
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

export async function putHalfSignIn(
  tx: Queryable,
  half: { readonly browserSha256: Buffer; readonly personId: string; readonly vouchedBy: string | null },
): Promise<void> {
  await tx.query(
    `INSERT INTO half_sign_in (browser_sha256, person_id, vouched_by, expires_at)
     VALUES ($1, $2, $3, clock_timestamp() + interval '10 minutes')
     ON CONFLICT (browser_sha256) DO UPDATE
       SET person_id = excluded.person_id, vouched_by = excluded.vouched_by, expires_at = excluded.expires_at`,
    [half.browserSha256, half.personId, half.vouchedBy],
  );
}

/** Null: there is none, it has expired, or all factors were removed since. */
export async function findHalfSignIn(db: Queryable, browserSha256: Buffer): Promise<HalfSignIn | null> {
  const [row] = await db.query<HalfSignIn>(
    `SELECT half.person_id, person.email, half.vouched_by,
            EXISTS (SELECT FROM totp WHERE totp.person_id = half.person_id) AS has_totp,
            EXISTS (SELECT FROM passkey WHERE passkey.person_id = half.person_id) AS has_passkey
       FROM half_sign_in half JOIN person ON person.id = half.person_id
      WHERE half.browser_sha256 = $1 AND half.expires_at > (SELECT clock_timestamp()) AND ${someFactor('half.person_id')}`,
    [browserSha256],
  );
  return row ?? null;
}

/** Ends it; false: another request did. */
export async function takeHalfSignIn(
  tx: Queryable,
  browserSha256: Buffer,
  personId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `DELETE FROM half_sign_in WHERE browser_sha256 = $1 AND person_id = $2 AND expires_at > (SELECT clock_timestamp()) RETURNING true`,
    [browserSha256, personId],
  );
  return rows.length > 0;
}

export async function endHalfSignIn(tx: Queryable, browserSha256: Buffer): Promise<void> {
  await tx.query('DELETE FROM half_sign_in WHERE browser_sha256 = $1', [browserSha256]);
}
