/** SQL of leases: how long an entry belongs to whoever claimed it, without being heard of. */
import type { Queryable } from '#db/database.ts';
import type { ClaimedEntry } from '../claim/store.ts';

/** Longer than the hand-over of an SMS may take: 5 seconds to begin and 10 at the gateway (`gateways/sms/send.ts`). */
export const leaseSeconds = 20;

/** Makes the leases of these longer that are still theirs. */
export async function renewLeases(db: Queryable, entries: readonly ClaimedEntry[]): Promise<void> {
  await db.query(
    `UPDATE queued_message q SET due_at = clock_timestamp() + interval '${leaseSeconds} seconds'
       FROM unnest($1::uuid[], $2::uuid[]) AS mine (message_id, attempt_id)
      WHERE q.message_id = mine.message_id AND q.attempt_id IS NOT DISTINCT FROM mine.attempt_id AND q.in_flight`,
    [entries.map(({ id }) => id), entries.map(({ attemptId }) => attemptId)],
  );
}
