/** Records a late acceptance: the gateway's response came after the hand-over's time-out, when the outcome was unknown. */
import type { Context } from '#context.ts';
import { retryWhileUnavailable } from '#db/retry-while-unavailable.ts';
import type { Acceptance } from '#gateways/sms/gateway.ts';
import { finishOf, recordOf } from '#sending/finish/outcome.ts';
import { messageOfAttempt, recordFinish } from '#sending/finish/store.ts';
import { actors } from '#values/actor.ts';

/** `reference` is the attempt's id. An outcome that was decided in the meantime stays as it is. */
export async function recordAcceptance(
  { db, clock, nudgeRelay }: Context,
  gateway: string,
  reference: string,
  acceptance: Acceptance,
): Promise<void> {
  // The gateway does not repeat it.
  const messageId = await retryWhileUnavailable(() => messageOfAttempt(db, reference));
  if (messageId === null) return;
  const outcome = recordOf({ ...acceptance, gateway });
  await recordFinish(
    db,
    finishOf({ messageId, attemptId: reference, now: clock.now(), actor: actors.gateway, ...outcome }),
  );
  nudgeRelay();
}
