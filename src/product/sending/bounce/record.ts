/** Records that an e-mail bounced. */
import type { Database } from '#platform/db/database.ts';
import { reportAttempt } from '../report/store.ts';
import { markInvalidAddress } from './store.ts';

export interface FailedDelivery {
  readonly attemptId: string;
  /** The gateway that the attempt was handed to. */
  readonly gateway: string;
  /** Status code and diagnostic, without addresses. */
  readonly why: string;
  /** The mailbox does not exist: the customer's address is marked as invalid. */
  readonly isAddressInvalid: boolean;
  /** The addresses that the report names, in lower case; may be empty. */
  readonly recipients: readonly string[];
}

/**
 * Marks the e-mail as `undelivered`. The bounce may come before the acceptance is recorded; a second report changes nothing. The
 * customer's address is marked first: if the rest fails, the mail server delivers the bounce again. `now` is business time.
 */
export async function recordFailedDelivery(db: Database, failed: FailedDelivery, now: Date): Promise<void> {
  const { attemptId, gateway, why, isAddressInvalid, recipients } = failed;
  if (isAddressInvalid) await markInvalidAddress(db, { attemptId, recipients, why }, now);
  const whole = { state: 'undelivered', detail: why } as const;
  await reportAttempt(db, { reference: attemptId, gateway, whole }, now);
}
