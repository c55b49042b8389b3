/** Records that an e-mail came back. */
import type { Database } from '#platform/db/database.ts';
import { reportAttempt } from '../report/store.ts';
import { markInvalidAddress } from './store.ts';

export interface FailedDelivery {
  readonly attemptId: string;
  /** That the attempt was handed to. */
  readonly gateway: string;
  /** Status code and diagnostic, without addresses. */
  readonly why: string;
  /** There is no such mailbox: the address is marked on the customer. */
  readonly isAddressInvalid: boolean;
  /** Whom the report names, in lower case; may be empty. */
  readonly recipients: readonly string[];
}

/**
 * The e-mail becomes `undelivered`, in any order with its acceptance, and once: its first report is final. The mark comes first: when
 * the rest fails, the mail server brings the bounce again. `now` is business time.
 */
export async function recordFailedDelivery(db: Database, failed: FailedDelivery, now: Date): Promise<void> {
  const { attemptId, gateway, why, isAddressInvalid, recipients } = failed;
  if (isAddressInvalid) await markInvalidAddress(db, { attemptId, recipients, why }, now);
  const whole = { state: 'undelivered', detail: why } as const;
  await reportAttempt(db, { reference: attemptId, gateway, whole }, now);
}
