/**
 * SQL that settles reminders by their SMS: a reminder is sent once its message was handed over, and failed once nothing more is
 * tried.
 */

import type { Actor } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { actorValues } from '#platform/events/record.ts';
import { changeCtes } from '#platform/records/change.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import { isAccepted } from '#product/sending/accepted.ts';
import { reminderRecord } from '../record.ts';

/**
 * Copies the outcome of these messages to their reminders, with the events. Idempotent. An unknown outcome may become known later:
 * a failed reminder then becomes sent.
 */
export async function settleReminders(
  db: Queryable,
  messageIds: readonly string[],
  now: Date,
  actor: Actor,
): Promise<void> {
  const by = actorValues(actor);
  await db.query(
    planOnce(`WITH outcome AS MATERIALIZED (
       SELECT m.cause_id AS id,
              CASE WHEN ${isAccepted('m')} THEN 'sent'
                   WHEN m.state IN ('failed', 'unknown', 'expired')
                     AND NOT EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id AND q.class IS NOT NULL)
                   THEN 'failed' END AS status
         FROM message m WHERE m.id = ANY($1::uuid[]) AND m.kind = 'serviceReminder'),
     open AS MATERIALIZED (
       SELECT r.id, outcome.status, r.status AS status_before FROM service_reminder r JOIN outcome ON outcome.id = r.id
        WHERE r.status IN ('scheduled', 'failed') ORDER BY r.id FOR NO KEY UPDATE OF r),
     ${changeCtes(reminderRecord, {
       kind: `'serviceReminder.' || r.status`,
       set: `status = open.status, sent_at = CASE open.status WHEN 'sent' THEN $2::timestamptz END`,
       ...{ from: 'open', before: { status: 'open.status_before' }, after: { status: 'r.status' } },
       where: `r.id = open.id AND r.status <> open.status AND r.status IN ('scheduled', 'failed')`,
       ...{ now: '$2', by: { actor: '$3', requestId: '$4' } },
     })}
     SELECT`),
    [messageIds, now, by.actor, by.requestId],
  );
}

/**
 * Messages of up to `limit` reminders that are still scheduled although the SMS is no longer queued or in flight, as an earlier
 * release could leave them. Without those that have failed in this job.
 */
export async function findForgotten(db: Queryable, job: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT m.id FROM service_reminder r
      CROSS JOIN LATERAL (
        SELECT id, state FROM message WHERE cause_id = r.id AND kind = 'serviceReminder' ORDER BY id DESC LIMIT 1) AS m
      WHERE r.status = 'scheduled' AND r.taken_at <= $1::timestamptz - interval '1 hour' AND m.state <> 'sending'
        AND NOT EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id) AND ${notFailed(job, 'm.id')}
      ORDER BY r.taken_at LIMIT $2`,
    [now, limit],
  );
  return rows.map(({ id }) => id);
}
