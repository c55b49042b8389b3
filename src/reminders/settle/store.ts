/** SQL of what a reminder's SMS becomes: a reminder is sent once its message was handed over, and failed once nothing more is tried. */

import { reminderJson } from '#bookings/reminder-code/snapshot.ts';
import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import { planOnce } from '#db/plan-modes.ts';
import { eventColumns } from '#events/record.ts';
import { isAccepted } from '#sending/accepted.ts';
import { notFailed } from '#work/failed/store.ts';

/**
 * Takes the outcome of these messages over, as far as they are reminders', with the events. Idempotent. An outcome that was unknown may
 * become known later: then a failed one is sent after all.
 */
export async function settleReminders(
  db: Queryable,
  messageIds: readonly string[],
  now: Date,
): Promise<void> {
  await db.query(
    planOnce(`WITH outcome AS MATERIALIZED (
       SELECT m.cause_id AS id,
              CASE WHEN ${isAccepted('m')} THEN 'sent'
                   WHEN m.state IN ('failed', 'unknown', 'expired')
                     AND NOT EXISTS (SELECT FROM queued_message q WHERE q.message_id = m.id AND q.class IS NOT NULL) THEN 'failed' END AS status
         FROM message m WHERE m.id = ANY($1::uuid[]) AND m.kind = 'serviceReminder'),
     open AS MATERIALIZED (
       SELECT r.id, outcome.status FROM service_reminder r JOIN outcome ON outcome.id = r.id
        WHERE r.status IN ('scheduled', 'failed') ORDER BY r.id FOR NO KEY UPDATE OF r),
     changed AS (
       UPDATE service_reminder r SET status = open.status, sent_at = CASE open.status WHEN 'sent' THEN $2::timestamptz END, version = version + 1,
              updated_at = greatest($2, r.updated_at + interval '1 millisecond')
         FROM open WHERE r.id = open.id AND r.status <> open.status AND r.status IN ('scheduled', 'failed') RETURNING r.*)
     INSERT INTO event (${eventColumns})
     SELECT ${newIdSql}, 'serviceReminder.' || r.status, r.partner_id, r.workshop_id, r.id, r.version,
            jsonb_build_object('serviceReminder', ${reminderJson('r')}), r.updated_at
       FROM changed r`),
    [messageIds, now],
  );
}

/**
 * The SMS of up to `limit` reminders that are scheduled although it is neither queued nor under way any more: what an earlier release
 * left. Without those that have failed in this job.
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
