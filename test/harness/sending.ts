/** The queue of messages, for tests. */
import type { Queryable } from '#platform/db/database.ts';

/** Makes all queued messages due now; returns how many there are. */
export async function makeAllDue(db: Queryable): Promise<number> {
  const rows = await db.query(
    `WITH due AS (
       UPDATE queued_message SET due_at = clock_timestamp() WHERE class IS NOT NULL AND NOT in_flight
       RETURNING workshop_id, channel, class),
     woken AS (
       INSERT INTO send_wake (workshop_id, channel, class, due_at)
       SELECT DISTINCT workshop_id, channel, class, clock_timestamp() FROM due)
     SELECT true FROM due`,
  );
  return rows.length;
}
