/** SQL of opt-ins that are told to providers. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { notFailed } from '#platform/work/failed/store.ts';

export interface ClaimedOptIn {
  /** The same for every attempt. */
  readonly id: string;
  readonly workshopId: string;
  /** E.164; null: erased since. */
  readonly phone: string | null;
  /** They have opted out again. */
  readonly optedOut: boolean;
  /** The beginning of the local day on which they agreed; null: unknown. */
  readonly agreedAt: Date | null;
  readonly attempts: number;
  readonly smsSender: string | null;
  /** Null: the installation's gateways. */
  readonly smsGateways: readonly string[] | null;
}

export interface ClaimOptIns {
  readonly leaseSeconds: number;
  /** The reports to claim: those that are due, without those that have failed in this job; or one that failed. */
  readonly which: { readonly limit: number; readonly job: string } | { readonly id: string };
}

/** Claims what is due until the lease ends, and counts the attempt: two processes never tell the same. */
export async function claimOptIns(
  db: Queryable,
  { leaseSeconds, which }: ClaimOptIns,
): Promise<ClaimedOptIn[]> {
  const [condition, value] =
    'id' in which
      ? [`id = $2::uuid AND state = 'waiting'`, which.id]
      : [
          `due_at <= (SELECT clock_timestamp()) AND ${notFailed(which.job, 'provider_opt_in.id')} ORDER BY due_at LIMIT $2`,
          which.limit,
        ];
  return db.query<ClaimedOptIn>(
    `WITH due AS MATERIALIZED (SELECT id FROM provider_opt_in WHERE ${condition} FOR NO KEY UPDATE SKIP LOCKED),
     taken AS (
       UPDATE provider_opt_in o SET attempts = o.attempts + 1, due_at = clock_timestamp() + make_interval(secs => $1)
         FROM due WHERE o.id = due.id RETURNING o.*)
     SELECT taken.id, taken.workshop_id, k.phone, k.opted_out_at IS NOT NULL AS opted_out,
            taken.agreed_on::timestamp AT TIME ZONE known_zone(w.timezone) AS agreed_at, taken.attempts, w.sms_sender, w.sms_gateways
       FROM taken JOIN customer k ON k.id = taken.customer_id JOIN workshop w ON w.id = taken.workshop_id`,
    [leaseSeconds, value],
  );
}

export interface EndedOptIn {
  readonly state: 'told' | 'refused' | 'noCall' | 'overtaken';
  readonly detail: string | null;
}

/** Ends one that waits. */
export async function endOptIn(db: Queryable, id: string, { state, detail }: EndedOptIn): Promise<void> {
  await db.query(
    `UPDATE provider_opt_in SET state = $2, detail = $3, due_at = NULL WHERE id = $1 AND state = 'waiting'`,
    [id, state, detail],
  );
}

/** Ends all that wait, as part of a restore: who opted out again since the backup is not known. */
export async function holdBackOptIns(tx: Queryable): Promise<void> {
  await tx.query(
    `UPDATE provider_opt_in SET state = 'refused', detail = $1, due_at = NULL WHERE due_at IS NOT NULL`,
    ['A backup was restored before it was told: the provider may still refuse SMS to this number.'],
  );
}

/** The attempt failed: another one is due in that many milliseconds. */
export async function deferOptIn(db: Queryable, id: string, inMs: number): Promise<void> {
  await db.query(
    `UPDATE provider_opt_in SET due_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1 AND state = 'waiting'`,
    [id, inMs / 1_000],
  );
}

/** Deletes those that ended and are older (business time). */
export async function purgeOptIns(db: Queryable, before: Date): Promise<void> {
  await deleteInBatches(db, 'provider_opt_in', `due_at IS NULL AND created_at < $1`, [before]);
}
