/** Records that a gateway had accepted an SMS after all: its answer came when the outcome had become unknown. */
import type { Context } from '#context.ts';
import { insist } from '#db/insist.ts';
import type { Acceptance } from '#gateways/sms/gateway.ts';
import { finishAttempt } from '#messaging/attempts/store.ts';
import { noticeOf, recordAttempt } from '#notifications/attempts/store.ts';
import { newId } from '#values/id.ts';

/** `reference` is ours of the attempt. What is settled otherwise by now stays as it is. */
export async function recordAcceptance(
  context: Context,
  gateway: string,
  reference: string,
  acceptance: Acceptance,
): Promise<void> {
  // It is not told again.
  await insist(() => record(context, gateway, reference, acceptance));
}

async function record(
  { db, clock, nudgeRelay }: Context,
  gateway: string,
  reference: string,
  acceptance: Acceptance,
): Promise<void> {
  const now = clock.now();
  const notice = await noticeOf(db, reference);
  if (notice === null) {
    const outcome = { ...acceptance, gateway };
    await finishAttempt(db, { attemptId: reference, eventId: newId(), now, outcome });
    nudgeRelay();
    return;
  }
  const { id, table } = notice;
  const accepted = { ...acceptance, gateway, reason: null, detail: null };
  await recordAttempt(db, table, { id, attemptId: reference }, accepted, now);
}
