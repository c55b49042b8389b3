/** A gateway has withheld an SMS as a duplicate: when it repeats one of unknown outcome, that proves that the gateway has the first. */
import type { Database } from '#platform/db/database.ts';
import { followOriginal, originalOf, reportAttempt } from './store.ts';

/**
 * Records the acceptance of the SMS that the one with this reference repeats, whose reports decide the state of the message from
 * then on. Does nothing when it repeats none of its message. Idempotent; `now` is business time.
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
