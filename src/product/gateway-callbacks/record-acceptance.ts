/** Records a late acceptance: the gateway's response came after the hand-over's time-out, when the outcome was unknown. */

import { actors } from '#base/values/actor.ts';
import { changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { retryWhileUnavailable } from '#platform/db/retry-while-unavailable.ts';
import type { Acceptance } from '#platform/gateways/sms/gateway.ts';
import { finishOf, recordOf } from '#product/sending/finish/outcome.ts';
import { messageOfAttempt, recordFinish } from '#product/sending/finish/store.ts';

/** `reference` is the attempt's id. An outcome that was decided since does not change. */
export async function recordAcceptance(
  context: Context,
  gateway: string,
  reference: string,
  acceptance: Acceptance,
): Promise<void> {
  const { db, clock } = context;
  // Retried here, because the gateway does not repeat it.
  const messageId = await retryWhileUnavailable(() => messageOfAttempt(db, reference));
  if (messageId === null) return;
  const outcome = recordOf({ ...acceptance, gateway });
  const now = clock.now();
  const finish = finishOf({ messageId, attemptId: reference, now, actor: actors.gateway, ...outcome });
  await changeAtOnce(context, () => recordFinish(db, finish));
}
