/** SQL of sign-in codes, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';

/** How long a code is valid. */
export const minutesValid = 10;
const triesAtMost = 5;

export interface NewCode {
  readonly id: string;
  readonly email: string;
  readonly codeHmac: Buffer;
  /** Null: it is not mailed. */
  readonly codeSealed: string | null;
  /** Null: it was printed, and works in any browser. */
  readonly browserSha256: Buffer | null;
  /** The workshop whose owner printed it. */
  readonly vouchedBy: string | null;
}

/** Replaces the browser's last code, or the last one printed for the address. Resolves to its expiry. */
export async function putCode(tx: Queryable, code: NewCode): Promise<Date> {
  const which =
    code.browserSha256 === null
      ? '(email) WHERE browser_sha256 IS NULL'
      : '(browser_sha256) WHERE browser_sha256 IS NOT NULL';
  const [row] = await tx.query<{ expiresAt: Date }>(
    `INSERT INTO sign_in_code (id, email, code_hmac, code_sealed, browser_sha256, vouched_by, expires_at)
     VALUES ($1, lower($2), $3, $4, $5, $6, clock_timestamp() + interval '${minutesValid} minutes')
     ON CONFLICT ${which} DO UPDATE
       SET id = excluded.id, email = excluded.email, code_hmac = excluded.code_hmac, code_sealed = excluded.code_sealed, tries = 0,
           vouched_by = excluded.vouched_by, expires_at = excluded.expires_at
     RETURNING expires_at`,
    [code.id, code.email, code.codeHmac, code.codeSealed, code.browserSha256, code.vouchedBy],
  );
  if (row === undefined) throw new Error('no row');
  return row.expiresAt;
}

export interface TriedCode {
  readonly id: string;
  readonly codeHmac: Buffer;
}

/**
 * The codes that the typed one may match, at most two: that of this browser for the address, and a printed one. Takes one try from
 * each.
 */
export async function takeTries(
  db: Queryable,
  email: string,
  browserSha256: Buffer | null,
): Promise<TriedCode[]> {
  return db.query<TriedCode>(
    `UPDATE sign_in_code SET tries = tries + 1
      WHERE id IN (SELECT id FROM sign_in_code WHERE browser_sha256 = $2 AND email = lower($1)
                   UNION ALL SELECT id FROM sign_in_code WHERE browser_sha256 IS NULL AND email = lower($1))
        AND tries < ${triesAtMost} AND expires_at > (SELECT clock_timestamp())
     RETURNING id, code_hmac`,
    [email, browserSha256],
  );
}

export interface UsedCode {
  readonly personId: string;
  readonly vouchedBy: string | null;
}

/** Uses a code up; null: it was used by another request, or nobody has its address. */
export async function useCode(tx: Queryable, id: string): Promise<UsedCode | null> {
  const [row] = await tx.query<UsedCode>(
    `WITH used AS (DELETE FROM sign_in_code WHERE id = $1 RETURNING email, vouched_by)
     SELECT person.id AS person_id, used.vouched_by FROM used JOIN person ON lower(person.email) = used.email FOR NO KEY UPDATE OF person`,
    [id],
  );
  return row ?? null;
}

/** Revokes all codes for these addresses, because the addresses change owner. */
export async function endCodes(tx: Queryable, emails: readonly string[]): Promise<void> {
  await tx.query(
    'DELETE FROM sign_in_code WHERE email IN (SELECT lower(its) FROM unnest($1::text[]) AS its)',
    [emails],
  );
}

/** Revokes the code printed for the address. */
export async function endPrinted(tx: Queryable, email: string): Promise<void> {
  await tx.query('DELETE FROM sign_in_code WHERE email = lower($1) AND browser_sha256 IS NULL', [email]);
}

/** Whether the person with the address has signed in with that browser within 90 days. */
export async function isKnownBrowser(db: Queryable, email: string, browserSha256: Buffer): Promise<boolean> {
  const rows = await db.query(
    `SELECT FROM known_browser known JOIN person ON person.id = known.person_id
      WHERE lower(person.email) = lower($1) AND known.browser_sha256 = $2
        AND known.signed_in_at > (SELECT clock_timestamp() - interval '90 days')`,
    [email, browserSha256],
  );
  return rows.length > 0;
}
