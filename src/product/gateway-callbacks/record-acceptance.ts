/** Records a late acceptance: the gateway's response came after the hand-over's time-out, when the outcome was unknown. */

import { actors } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import { retryWhileUnavailable } from '#platform/db/retry-while-unavailable.ts';
import type { Acceptance } from '#platform/gateways/sms/gateway.ts';
import { finishOf, recordOf } from '#product/sending/finish/outcome.ts';
import { messageOfAttempt, recordFinish } from '#product/sending/finish/store.ts';

/** `reference` is the attempt's id. An outcome that was decided since does not change. */
export async function recordAcceptance(
  { db, clock, nudgeRelay }: Context,
  gateway: string,
  reference: string,
  acceptance: Acceptance,
): Promise<void> {
  // Retried here, because the gateway does not repeat it.
  const messageId = await retryWhileUnavailable(() => messageOfAttempt(db, reference));
  if (messageId === null) return;
  const outcome = recordOf({ ...acceptance, gateway });
  await recordFinish(
    db,
    finishOf({ messageId, attemptId: reference, now: clock.now(), actor: actors.gateway, ...outcome }),
  );
  nudgeRelay();
}
