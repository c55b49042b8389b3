/** One hand-over to the gateway, and the record of what came of it. */
import type { Context } from '#context.ts';
import { insist } from '#db/insist.ts';
import type { SmsOutcome } from '#gateways/sms/gateway.ts';
import { sendWithinLimits } from '#sending/limits/send.ts';
import type { SmsAccount } from '#sending/limits/store.ts';
import { newId } from '#values/id.ts';
import type { Outcome } from '../outcome.ts';
import { finishAttempt, recordOf } from './store.ts';

export interface StartedAttempt extends SmsAccount {
  readonly messageId: string;
  readonly conversationId: string;
  readonly attemptId: string;
  readonly phone: string;
  readonly sender: string | null;
  readonly route: readonly string[] | null;
  readonly body: string;
  /** Machine time, before its row was written. */
  readonly begunAt: Date;
}

/** Sends an attempt whose row is there already. Rejects only when the outcome could not be recorded. */
export async function runAttempt(context: Context, attempt: StartedAttempt): Promise<Outcome> {
  return recordOutcome(context, attempt, await handOver(context, attempt));
}

/** Never rejects. */
export function handOver(context: Context, attempt: StartedAttempt): Promise<SmsOutcome> {
  const sms = {
    reference: attempt.attemptId,
    messageId: attempt.messageId,
    to: attempt.phone,
    from: attempt.sender,
    route: attempt.route,
    body: attempt.body,
  };
  return sendWithinLimits(context, sms, attempt, attempt.begunAt);
}

export async function recordOutcome(
  context: Context,
  attempt: StartedAttempt,
  outcome: SmsOutcome,
): Promise<Outcome> {
  const { attemptId, messageId, conversationId } = attempt;
  const finish = { attemptId, eventId: newId(), now: context.clock.now(), outcome };
  // Whoever comes next would not know that the gateway has it, and might send it again.
  await insist(() => finishAttempt(context.db, finish));
  context.nudgeRelay();
  const { reason, detail } = recordOf(outcome);
  return { messageId, conversationId, sent: outcome.state === 'accepted', reason, detail };
}
