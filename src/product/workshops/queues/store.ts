/** SQL that makes the send queues of workshops check their messages again after a change of settings (`#sending`). */
import type { Queryable } from '#platform/db/database.ts';

/** Wakes the send queues of a workshop, so that they read its route again. */
export async function wakeQueuesOf(tx: Queryable, workshopId: string): Promise<void> {
  await tx.query(
    `INSERT INTO send_wake (workshop_id, channel, class, due_at)
     SELECT workshop_id, channel, class, clock_timestamp() FROM send_queue WHERE workshop_id = $1`,
    [workshopId],
  );
}

/**
 * Checks the quiet hours of queued messages again: after a change of the workshop's time zone, or, with null, of the business
 * clock, which all workshops share. A message that waits for a retry is also tried at once.
 */
export async function judgeQuietAnew(tx: Queryable, workshopId: string | null): Promise<void> {
  await tx.query(
    `WITH entry AS (
       UPDATE queued_message e SET due_at = clock_timestamp()
         FROM send_queue q
        WHERE ($1::uuid IS NULL OR q.workshop_id = $1) AND (e.workshop_id, e.channel, e.class) = (q.workshop_id, q.channel, q.class)
          AND e.quiet_from IS NOT NULL AND e.attempt_id IS NULL AND NOT e.in_flight
          AND e.due_at > (SELECT clock_timestamp()) AND e.due_at < 'infinity'
       RETURNING e.workshop_id, e.channel, e.class)
     INSERT INTO send_wake (workshop_id, channel, class, due_at)
     SELECT DISTINCT workshop_id, channel, class, clock_timestamp() FROM entry`,
    [workshopId],
  );
}
