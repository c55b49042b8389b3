/** SQL of results kept under an Idempotency-Key. */
import type { Queryable } from '#db/database.ts';

export interface ClaimParameters {
  readonly partnerId: string;
  readonly key: string;
  readonly owner: string;
}

/** Whether the row `old` is nobody's any more. $6 is the business time. */
const givesWay = `(old.status IS NOT NULL AND old.created_at <= $6::timestamptz - interval '24 hours')
        OR (old.status IS NULL AND old.leased_until < clock_timestamp())`;

/** CTE `held_claim`: a row, locked, while the claim is still this request's own. */
export function heldClaimCte($: ClaimParameters): string {
  return `held_claim AS MATERIALIZED (SELECT FROM idempotency
    WHERE partner_id = ${$.partnerId} AND key = ${$.key} AND owner = ${$.owner} AND status IS NULL FOR UPDATE)`;
}

/** CTE `finished_claim`: keeps status and body (a jsonb expression over the CTE `source`) in the commit of the result. */
export function finishClaimCte($: ClaimParameters, status: number, body: string, source: string): string {
  return `finished_claim AS (UPDATE idempotency SET status = ${status}, body = ${body} FROM ${source}
    WHERE partner_id = ${$.partnerId} AND key = ${$.key} AND owner = ${$.owner} AND idempotency.status IS NULL)`;
}

export interface KeptResult {
  fingerprint: Buffer;
  /** Null while the first request is still running. */
  status: number | null;
  body: unknown;
}

/**
 * Claims the key for `owner` (`true`), or returns what another request keeps under it; null when that is just being
 * written or has just gone. A result older than a day (business time) and a claim whose lease is over give way. What
 * is kept is read without a lock: the first request holds its row while it works, and no caller waits for that here.
 */
export async function claimKey(
  db: Queryable,
  claim: {
    partnerId: string;
    key: string;
    fingerprint: Buffer;
    owner: string;
    leaseSeconds: number;
    now: Date;
  },
): Promise<true | KeptResult | null> {
  const [row] = await db.query<KeptResult & { claimed: boolean; isKept: boolean }>(
    `WITH present AS (
       SELECT fingerprint, status, body FROM idempotency AS old WHERE partner_id = $1 AND key = $2 AND NOT (${givesWay})
     ), claimed AS (
       INSERT INTO idempotency AS old (partner_id, key, fingerprint, owner, leased_until, created_at)
       SELECT $1, $2, $3, $4, clock_timestamp() + $5 * interval '1 second', $6 WHERE NOT EXISTS (SELECT FROM present)
       ON CONFLICT (partner_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, owner = excluded.owner, leased_until = excluded.leased_until,
             created_at = excluded.created_at, status = NULL, body = NULL
       WHERE ${givesWay}
       RETURNING true)
     SELECT EXISTS (SELECT FROM claimed) AS claimed, EXISTS (SELECT FROM present) AS "isKept",
            fingerprint, status, body
       FROM (SELECT) AS one LEFT JOIN present ON true`,
    [claim.partnerId, claim.key, claim.fingerprint, claim.owner, claim.leaseSeconds, claim.now],
  );
  if (row?.claimed) return true;
  return row?.isKept ? { fingerprint: row.fingerprint, status: row.status, body: row.body } : null;
}

/** Gives an unfinished claim up: a refusal is not kept. */
export async function releaseKey(
  db: Queryable,
  partnerId: string,
  key: string,
  owner: string,
): Promise<void> {
  await db.query(
    `DELETE FROM idempotency WHERE partner_id = $1 AND key = $2 AND owner = $3 AND status IS NULL`,
    [partnerId, key, owner],
  );
}

/** Results that were kept after `now` (business time) count as kept then: for when that time has been set back. */
export async function keepNoLongerThanFrom(db: Queryable, now: Date): Promise<void> {
  await db.query('UPDATE idempotency SET created_at = $1 WHERE created_at > $1', [now]);
}

/** Deletes results that are a day old (business time). */
export async function purgeKept(db: Queryable, now: Date): Promise<void> {
  await db.query(`DELETE FROM idempotency WHERE created_at < $1::timestamptz - interval '24 hours'`, [now]);
}
