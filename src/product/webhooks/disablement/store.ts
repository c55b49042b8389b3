/** SQL of the e-mails that notify partners of a disabled endpoint. */
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { saturatingIncrement } from '#platform/db/saturating-increment.ts';
import { notFailed } from '#platform/work/failed/store.ts';

export interface DisablementNotice {
  /** The id of this disablement: the reference of its e-mail. */
  readonly noticeId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly reason: 'gone' | 'failing';
  /** Including this one. */
  readonly tries: number;
  /** Null: the operator has set none. */
  readonly email: string | null;
  readonly partnerId: string;
  readonly waiting: number;
}

/** The notice of this endpoint, due or not; or up to `limit` that are due and have not failed in this job. */
export type WhichNotices = { readonly webhookId: string } | { readonly limit: number; readonly job: string };

/** Claims waiting notices with a lease each; rows that another process has locked are skipped. `waiting` stops at 10,000. */
export async function claimNotices(
  db: Queryable,
  which: WhichNotices,
  leaseSeconds: number,
): Promise<DisablementNotice[]> {
  const found =
    'webhookId' in which
      ? 'id = $1 AND notice_due_at IS NOT NULL'
      : `notice_due_at <= (SELECT clock_timestamp()) AND ${notFailed(which.job, 'webhook.id')} ORDER BY notice_due_at LIMIT $1`;
  return db.query<DisablementNotice>(
    planOnce(`WITH due AS (SELECT id FROM webhook WHERE ${found} FOR NO KEY UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE webhook w SET notice_tries = ${saturatingIncrement('w.notice_tries')},
              notice_due_at = clock_timestamp() + make_interval(secs => $2)
         FROM due WHERE w.id = due.id RETURNING w.*)
     SELECT c.notice_id, c.id AS webhook_id, c.url, c.disabled_reason AS reason, c.notice_tries AS tries, p.email, p.id AS partner_id,
            (SELECT count(*)::int FROM (
               SELECT FROM webhook_delivery d WHERE d.webhook_id = c.id AND d.due_at IS NOT NULL LIMIT 10000) AS waits) AS waiting
       FROM claimed c JOIN partner p ON p.id = c.partner_id`),
    ['webhookId' in which ? which.webhookId : which.limit, leaseSeconds],
  );
}

/** Makes it due again later; null: it is sent, or given up. A later disablement is not changed. */
export async function settleNotice(
  db: Queryable,
  { noticeId, webhookId }: Pick<DisablementNotice, 'noticeId' | 'webhookId'>,
  inMs: number | null,
): Promise<void> {
  await db.query(
    `UPDATE webhook SET notice_due_at = clock_timestamp() + $3::float8 * interval '1 millisecond' WHERE id = $1 AND notice_id = $2`,
    [webhookId, noticeId, inMs],
  );
}

/** Drops the notice of this endpoint's disablement: the operator gives up a notice whose job failed. */
export async function skipNotice(tx: Queryable, webhookId: string): Promise<void> {
  await tx.query('UPDATE webhook SET notice_due_at = NULL WHERE id = $1', [webhookId]);
}

/** Drops all waiting notices. Returns how many. */
export async function skipNotices(tx: Queryable): Promise<number> {
  const rows = await tx.query(
    'UPDATE webhook SET notice_due_at = NULL WHERE notice_due_at IS NOT NULL RETURNING true',
  );
  return rows.length;
}
