/**
 * A gateway withheld an SMS as a duplicate. If that SMS repeats an attempt with an unknown outcome, the gateway has the earlier
 * attempt.
 */
import type { Database } from '#platform/db/database.ts';
import { followOriginal, originalOf, reportAttempt } from './store.ts';

/**
 * Records the acceptance of the attempt that the SMS with this reference repeats; reports on that attempt decide the state of the
 * message from then on. Does nothing when it repeats no attempt of its message. Idempotent; `now` is business time.
 */
export async function acceptOriginal(
  db: Database,
  reference: string,
  gateway: string,
  now: Date,
): Promise<void> {
  const original = await originalOf(db, reference, gateway);
  if (original === null) return;
  const whole = { state: 'accepted', detail: null } as const;
  await reportAttempt(db, { reference: original, gateway, whole }, now);
  await followOriginal(db, { reference, original, now });
}
