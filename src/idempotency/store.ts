/** SQL of results kept under an Idempotency-Key. */
import type { Queryable } from '#db/database.ts';

export interface ClaimParameters {
  readonly partnerId: string;
  readonly key: string;
  readonly owner: string;
}

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

/**
 * Claims the key for `owner`; false when another request holds it or its result is kept. A result older than a day
 * (business time) and a claim whose lease is over give way.
 */
export async function claimKey(
  db: Queryable,
  claim: { partnerId: string; key: string; fingerprint: Buffer; owner: string; leaseSeconds: number; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO idempotency AS old (partner_id, key, fingerprint, owner, leased_until, created_at)
     VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 second', $6)
     ON CONFLICT (partner_id, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, owner = excluded.owner, leased_until = excluded.leased_until,
           created_at = excluded.created_at, status = NULL, body = NULL
     WHERE (old.status IS NOT NULL AND old.created_at <= $6::timestamptz - interval '24 hours')
        OR (old.status IS NULL AND old.leased_until < clock_timestamp())
     RETURNING true`,
    [claim.partnerId, claim.key, claim.fingerprint, claim.owner, claim.leaseSeconds, claim.now],
  );
  return rows.length > 0;
}

export interface KeptResult {
  fingerprint: Buffer;
  /** Null while the first request is still running. */
  status: number | null;
  body: unknown;
}

export async function readKept(db: Queryable, partnerId: string, key: string): Promise<KeptResult | null> {
  const [row] = await db.query<KeptResult>(
    `SELECT fingerprint, status, body FROM idempotency WHERE partner_id = $1 AND key = $2`,
    [partnerId, key],
  );
  return row ?? null;
}

/** Gives an unfinished claim up: a refusal is not kept. */
export async function releaseKey(db: Queryable, partnerId: string, key: string, owner: string): Promise<void> {
  await db.query(`DELETE FROM idempotency WHERE partner_id = $1 AND key = $2 AND owner = $3 AND status IS NULL`, [
    partnerId,
    key,
    owner,
  ]);
}

/** Deletes results that are a day old (business time). */
export async function purgeKept(db: Queryable, now: Date): Promise<void> {
  await db.query(`DELETE FROM idempotency WHERE created_at < $1::timestamptz - interval '24 hours'`, [now]);
}
