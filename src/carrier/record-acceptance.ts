/** Records that a gateway had accepted an SMS after all: its answer came when the outcome had become unknown. */
import type { Context } from '#context.ts';
import { insist } from '#db/insist.ts';
import type { Acceptance } from '#gateways/sms/gateway.ts';
import { finishOf, recordOf } from '#sending/finish/outcome.ts';
import { messageOfAttempt, recordFinishes } from '#sending/finish/store.ts';

/** `reference` is ours of the attempt. What is settled otherwise by now stays as it is. */
export async function recordAcceptance(
  { db, clock, nudgeRelay }: Context,
  gateway: string,
  reference: string,
  acceptance: Acceptance,
): Promise<void> {
  const record = async () => {
    const messageId = await messageOfAttempt(db, reference);
    if (messageId === null) return;
    const outcome = recordOf({ ...acceptance, gateway });
    await recordFinishes(db, [finishOf({ messageId, attemptId: reference, now: clock.now(), ...outcome })]);
  };
  // It is not told again.
  await insist(record);
  nudgeRelay();
}
