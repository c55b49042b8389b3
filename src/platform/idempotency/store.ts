/** SQL of results that are stored under an Idempotency-Key. */
import type { Database, Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import type { RowValues, Values } from '#platform/db/parameters.ts';

/** Columns of a call with an optional claim: both null without one. */
export const claimColumns = { idempotencyKey: 'text null', claimOwner: 'uuid null' } as const;

/** Whether the row `old` has expired: its result is a day old (business time `now`), or the lease of its claim is over at `clock`. */
const hasExpired = (
  now: string,
  clock: string,
) => `((old.status IS NOT NULL AND old.created_at <= ${now} - interval '24 hours')
        OR (old.status IS NULL AND old.leased_until < ${clock}))`;

/** Joins the row `kept` to the row of `source` that holds its claim. */
const isOwn = (
  source: string,
) => `kept.partner_id = ${source}.partner_id AND kept.key = ${source}.idempotency_key
       AND kept.owner = ${source}.claim_owner AND kept.status IS NULL`;

/** CTE `held_claim`: `ordinal` of each call in the CTE `source` that still holds its claim; those rows are locked. */
export function heldClaimCte(source: string): string {
  return `held_claim AS MATERIALIZED (
    SELECT ${source}.ordinal FROM ${source} JOIN idempotency kept ON ${isOwn(source)}
     ORDER BY kept.partner_id, kept.key FOR UPDATE OF kept)`;
}

/** CTE `finished_claim`: stores status and body (a number or an SQL expression, and a jsonb expression, over the CTE `source`) in the commit of the results. */
export function finishClaimCte(source: string, status: number | string, body: string): string {
  return `finished_claim AS (UPDATE idempotency kept SET status = ${status}, body = ${body} FROM ${source} WHERE ${isOwn(source)})`;
}

/** Another request has taken the claim over: the transaction is rolled back, and `once` waits for the other's result. */
export class ClaimLost extends Error {}

/** Stores the result of a claim, if there is one, in the transaction of the result. Throws ClaimLost. */
export async function finishClaim(
  tx: Queryable,
  partnerId: string | null,
  claim: { readonly idempotencyKey: string; readonly claimOwner: string } | null,
  status: number,
  body: object,
): Promise<void> {
  if (claim === null) return;
  const rows = await tx.query(
    `UPDATE idempotency SET status = $4, body = $5::jsonb WHERE partner_id = $1 AND key = $2 AND owner = $3 AND status IS NULL
      RETURNING true`,
    [partnerId, claim.idempotencyKey, claim.claimOwner, status, JSON.stringify(body)],
  );
  if (rows.length === 0) throw new ClaimLost();
}

export interface KeptResult {
  fingerprint: Buffer;
  /** Null while the first request is still running. */
  status: number | null;
  body: unknown;
}

interface ClaimRow extends KeptResult {
  claimed: boolean;
  isKept: boolean;
}

const claimParameters = {
  partnerId: 'uuid',
  key: 'text',
  fingerprint: 'bytea',
  owner: 'uuid',
  leaseSeconds: 'float8',
  now: 'timestamptz',
} as const;

export type ClaimRequest = Values<typeof claimParameters>;

const claimKeys = gather<RowValues<typeof claimParameters>, ClaimRow>({
  columns: claimParameters,
  build: ({ input }) => `WITH ${input}, present AS (
       SELECT input.ordinal, old.fingerprint, old.status, old.body
         FROM input JOIN idempotency old ON old.partner_id = input.partner_id AND old.key = input.key
          AND NOT ${hasExpired('input.now', '(SELECT clock_timestamp())')}
     ), claimed AS (
       INSERT INTO idempotency AS old (partner_id, key, fingerprint, owner, leased_until, created_at)
       SELECT partner_id, key, fingerprint, owner, clock_timestamp() + lease_seconds * interval '1 second', now
         FROM input WHERE NOT EXISTS (SELECT FROM present WHERE present.ordinal = input.ordinal) ORDER BY 1, 2
       ON CONFLICT (partner_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, owner = excluded.owner, leased_until = excluded.leased_until,
             created_at = excluded.created_at, status = NULL, body = NULL
       WHERE ${hasExpired('excluded.created_at', 'clock_timestamp()')}
       RETURNING owner)
     SELECT input.ordinal, EXISTS (SELECT FROM claimed WHERE claimed.owner = input.owner) AS claimed,
            present.ordinal IS NOT NULL AS is_kept, present.fingerprint, present.status, present.body
       FROM input LEFT JOIN present ON present.ordinal = input.ordinal`,
  partnerOf: ({ partnerId }) => partnerId,
  keyOf: ({ partnerId, key }) => `${partnerId} ${key}`,
});

/**
 * Claims the key for `owner` (`true`), or returns what is stored under it; null when another request is just writing or deleting
 * that row. A result older than a day (business time) and a claim whose lease is over are replaced. The stored row is
 * read without a lock: the first request locks its row while it works, and no caller waits for that lock.
 */
export async function claimKey(db: Database, claim: ClaimRequest): Promise<true | KeptResult | null> {
  const fingerprint = `\\x${claim.fingerprint.toString('hex')}`;
  const row = await claimKeys(db, { ...claim, fingerprint });
  if (row?.claimed) return true;
  return row?.isKept ? { fingerprint: row.fingerprint, status: row.status, body: row.body } : null;
}

/** Releases an unfinished claim: a refusal is not stored. */
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

/** Sets the time of results that were stored after `now` (business time) to `now`, for when the business clock was set back. */
export async function keepNoLongerThanFrom(db: Queryable, now: Date): Promise<void> {
  await db.query('UPDATE idempotency SET created_at = $1 WHERE created_at > $1', [now]);
}

/** Deletes results that are a day old (business time). */
export async function purgeKept(db: Queryable, now: Date): Promise<void> {
  await deleteInBatches(db, 'idempotency', `created_at < $1::timestamptz - interval '24 hours'`, [now]);
}
