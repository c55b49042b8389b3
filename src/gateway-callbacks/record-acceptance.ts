/** Records that a gateway had accepted an SMS after all: its answer came when the outcome had become unknown. */
import type { Context } from '#context.ts';
import { retryWhileUnavailable } from '#db/retry-while-unavailable.ts';
import type { Acceptance } from '#gateways/sms/gateway.ts';
import { finishOf, recordOf } from '#sending/finish/outcome.ts';
import { messageOfAttempt, recordFinish } from '#sending/finish/store.ts';

/** `reference` is ours of the attempt. What is settled otherwise by now stays as it is. */
export async function recordAcceptance(
  { db, clock, nudgeRelay }: Context,
  gateway: string,
  reference: string,
  acceptance: Acceptance,
): Promise<void> {
  // It is not told again.
  const messageId = await retryWhileUnavailable(() => messageOfAttempt(db, reference));
  if (messageId === null) return;
  const outcome = recordOf({ ...acceptance, gateway });
  await recordFinish(db, finishOf({ messageId, attemptId: reference, now: clock.now(), ...outcome }));
  nudgeRelay();
}
