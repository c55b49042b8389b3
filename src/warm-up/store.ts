/** SQL of the warm-up. */
import type { Queryable } from '#platform/db/database.ts';

/** Whether events or messages wait that are no rehearsal's. */
export async function hasWaiting(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ waits: boolean }>(
    `SELECT EXISTS (SELECT FROM event WHERE relayed_at IS NULL) OR EXISTS (SELECT FROM queued_message)
         OR EXISTS (SELECT FROM held_event) AS waits`,
  );
  return row?.waits === true;
}
