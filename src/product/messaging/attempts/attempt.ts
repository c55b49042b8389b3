/** One attempt: the hand-over to the gateway inside a request, and the record of its outcome. */

import type { Actor } from '#base/values/actor.ts';
import { changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { SmsOutcome } from '#platform/gateways/sms/gateway.ts';
import { finishOf, recordOf } from '#product/sending/finish/outcome.ts';
import { recordFinish } from '#product/sending/finish/store.ts';
import type { LimitReason } from '#product/sending/limits/rules.ts';
import { refusedBy, sendWithinLimits } from '#product/sending/limits/send.ts';
import type { SmsAccount } from '#product/sending/limits/store.ts';
import type { Outcome } from '../outcome.ts';

export interface StartedAttempt extends SmsAccount {
  readonly messageId: string;
  readonly conversationId: string;
  readonly attemptId: string;
  readonly phone: string;
  readonly sender: string | null;
  readonly route: readonly string[] | null;
  readonly body: string;
  readonly actor: Actor;
  /** Machine time, before the attempt's row was written. */
  readonly begunAt: Date;
  /** Given: nothing is handed over, for this reason. */
  readonly refusal?: LimitReason | null | undefined;
}

/** Sends an attempt whose row is stored. Rejects only when the outcome could not be recorded. */
export async function runAttempt(context: Context, attempt: StartedAttempt): Promise<Outcome> {
  const { messageId, conversationId } = attempt;
  const sms = {
    reference: attempt.attemptId,
    messageId,
    to: attempt.phone,
    from: attempt.sender,
    route: attempt.route,
    body: attempt.body,
  };
  const outcome = attempt.refusal
    ? refusedBy(attempt.refusal)
    : await sendWithinLimits(context, sms, attempt, attempt.begunAt);
  const { reason, detail } = await recordOutcome(context, attempt, outcome);
  return { messageId, conversationId, sent: outcome.state === 'accepted', reason, detail };
}

/** Records an attempt's outcome and returns its reason and detail. A further attempt needs another request with the referenceId. */
export async function recordOutcome(
  context: Context,
  { messageId, attemptId, actor }: Pick<StartedAttempt, 'messageId' | 'attemptId' | 'actor'>,
  outcome: SmsOutcome,
): Promise<Pick<Outcome, 'reason' | 'detail'>> {
  const recorded = recordOf(outcome);
  const { db, clock } = context;
  const finish = finishOf({ messageId, attemptId, now: clock.now(), actor, ...recorded });
  await changeAtOnce(context, () => recordFinish(db, finish));
  return recorded;
}
