/** Deletes expired data of sign-ins, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { runAll } from '#platform/db/run-all.ts';
import { purgeAccountEmails } from '../emails/store.ts';

/**
 * Challenges after 5 minutes; codes, changes of an e-mail address, half-open sign-ins and kept forms after 10 minutes; shown
 * customers after an hour; browsers after 90 days; sessions 30 days after their end, and e-mails 30 days after they were queued and
 * given up.
 */
export async function purgeSignIns(db: Queryable): Promise<void> {
  await runAll([
    () => purgeAccountEmails(db),
    () => deleteInBatches(db, 'sign_in_code', 'expires_at < (SELECT clock_timestamp())'),
    () => deleteInBatches(db, 'passkey_challenge', 'expires_at < (SELECT clock_timestamp())'),
    () => deleteInBatches(db, 'half_sign_in', 'expires_at < (SELECT clock_timestamp())'),
    () => deleteInBatches(db, 'email_change', 'expires_at < (SELECT clock_timestamp())'),
    () => deleteInBatches(db, 'kept_form', 'expires_at < (SELECT clock_timestamp())'),
    () => deleteInBatches(db, 'sign_in_address', 'expires_at < (SELECT clock_timestamp())'),
    () => deleteInBatches(db, 'shown_customer', `at < (SELECT clock_timestamp() - interval '1 hour')`),
    () => deleteInBatches(db, 'session_found', `at < (SELECT clock_timestamp() - interval '1 hour')`),
    () =>
      deleteInBatches(db, 'known_browser', `signed_in_at < (SELECT clock_timestamp() - interval '90 days')`),
    () =>
      deleteInBatches(
        db,
        'session',
        `(ended_at < (SELECT clock_timestamp() - interval '30 days') OR used_at < (SELECT clock_timestamp() - interval '60 days')
          OR signed_in_at < (SELECT clock_timestamp() - interval '120 days'))`,
      ),
  ]);
}
