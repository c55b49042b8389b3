/** Staff resend a text that did not arrive, once: a repeated call returns the message that the first call sent. */
import { InvalidInput, notOf, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { dropDeadLetter } from '#platform/work/dead-letters/store.ts';
import { queueOwnSms } from '../../staff/sms.ts';
import { findAddressee } from '../../staff/store.ts';
import { lockTalk } from '../answered/store.ts';
import { findSent } from './store.ts';

/** `unknown`: the outcome is unknown, so it may have arrived. */
export type AgainState = 'failed' | 'unknown';

/**
 * Whether staff may resend a message; null: they may not. Only texts by the workshop's staff qualify: a notice may be outdated, and
 * its booking or quote can send a new one; a partner decides about its own texts; a campaign sends no text twice.
 */
export function againState({
  kind,
  state,
}: {
  readonly kind: string;
  readonly state: string;
}): AgainState | null {
  if (kind !== 'reply') return null;
  if (state === 'unknown') return 'unknown';
  return ['failed', 'undelivered', 'expired'].includes(state) ? 'failed' : null;
}

export interface AskedAgain {
  readonly workshopId: string;
  readonly conversationId: string;
  readonly messageId: string;
  /** For an unknown outcome: the caller accepts that the text may arrive twice. */
  readonly mayArriveTwice: boolean;
  readonly actor: Actor;
}

/**
 * Returns the id of the new message. The dead letter of the first one is deleted. Throws OperatorError when the message can't be
 * resent, InvalidInput (`twice`) when its outcome is unknown and `mayArriveTwice` is false, and what `queueOwnSms` throws.
 */
export async function sendAgain(
  context: ChangeContext & Pick<Context, 'config'>,
  { workshopId, conversationId, messageId, mayArriveTwice, actor }: AskedAgain,
): Promise<string> {
  const named = { conversationId, messageId };
  return change(context, async ({ tx, now }) => {
    const asked = isId(messageId) ? await findSent(tx, workshopId, named) : null;
    const to = asked && (await findAddressee(tx, workshopId, asked.customerId));
    if (!to) throw notOf({ what: 'workshop', id: workshopId }, 'message', messageId);
    await lockTalk(tx, to, now);
    // Read again under the lock.
    const sent = await findSent(tx, workshopId, named);
    if (sent === null) throw notOf({ what: 'workshop', id: workshopId }, 'message', messageId);
    if (sent.againId !== null) return sent.againId;
    const state = againState(sent);
    if (state === null)
      throw new OperatorError('not sent: only a text of yours that did not arrive is sent again');
    if (sent.isQueued) throw new OperatorError('not sent: the first one is still being tried');
    if (state === 'unknown' && !mayArriveTwice)
      throw new InvalidInput([
        { field: 'twice', message: 'is needed: nobody knows whether the first one arrived' },
      ]);
    const { body: text, bookingId } = sent;
    const queued = await queueOwnSms(tx, context, to, { text, bookingId, causeId: messageId, actor });
    if (queued === null) throw new Error('a text was resent without the lock on its talk');
    await dropDeadLetter(tx, { job: 'send', payload: { messageId } });
    return queued.messageId;
  });
}
