/** SQL of the e-mails that tell partners that an endpoint was disabled. */
import type { Queryable } from '#platform/db/database.ts';
import { oneMore } from '#platform/db/one-more.ts';
import { notFailed } from '#platform/work/failed/store.ts';

export interface DisablementNotice {
  /** Of this disablement: the reference of its e-mail. */
  readonly noticeId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly reason: 'gone' | 'failing';
  /** With this one. */
  readonly tries: number;
  /** Null: the operator has set none. */
  readonly email: string | null;
  readonly partnerId: string;
  readonly waiting: number;
}

/** This endpoint's, due or not; or up to `limit` that are due and have not failed in this job. */
export type WhichNotices = { readonly webhookId: string } | { readonly limit: number; readonly job: string };

/** Claims what waits, each for the lease; others claim others. `waiting` stops at 10,000. */
export async function claimNotices(
  db: Queryable,
  which: WhichNotices,
  leaseSeconds: number,
): Promise<DisablementNotice[]> {
  const found =
    'webhookId' in which
      ? 'id = $1 AND notice_due_at IS NOT NULL'
      : `notice_due_at <= clock_timestamp() AND ${notFailed(which.job, 'webhook.id')} ORDER BY notice_due_at LIMIT $1`;
  return db.query<DisablementNotice>(
    `WITH due AS (SELECT id FROM webhook WHERE ${found} FOR NO KEY UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE webhook w SET notice_tries = ${oneMore('w.notice_tries')}, notice_due_at = clock_timestamp() + make_interval(secs => $2)
         FROM due WHERE w.id = due.id RETURNING w.*)
     SELECT c.notice_id, c.id AS webhook_id, c.url, c.disabled_reason AS reason, c.notice_tries AS tries, p.email, p.id AS partner_id,
            (SELECT count(*)::int FROM (
               SELECT FROM webhook_delivery d WHERE d.webhook_id = c.id AND d.due_at IS NOT NULL LIMIT 10000) AS waits) AS waiting
       FROM claimed c JOIN partner p ON p.id = c.partner_id`,
    ['webhookId' in which ? which.webhookId : which.limit, leaseSeconds],
  );
}

/** It is due again later; null: it is sent, or given up. Another disablement since then is left alone. */
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

/** No partner is notified of the disablement of this endpoint: the operator gives up a notice that has failed. */
export async function skipNotice(tx: Queryable, webhookId: string): Promise<void> {
  await tx.query('UPDATE webhook SET notice_due_at = NULL WHERE id = $1', [webhookId]);
}

/** No partner is notified of the disablements so far. Returns how many notices that were. */
export async function skipNotices(tx: Queryable): Promise<number> {
  const rows = await tx.query(
    'UPDATE webhook SET notice_due_at = NULL WHERE notice_due_at IS NOT NULL RETURNING true',
  );
  return rows.length;
}
