/** A text that did not arrive is sent anew, once: whoever asks a second time gets what the first has sent. */
import { InvalidInput, notOf, OperatorError } from '#base/operator-error.ts';
import type { Actor } from '#base/values/actor.ts';
import { isId } from '#base/values/id.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import { dropDeadLetter } from '#platform/work/dead-letters/store.ts';
import { queueOwnSms } from '../../staff/sms.ts';
import { findAddressee } from '../../staff/store.ts';
import { lockTalk } from '../answered/store.ts';
import { findSent } from './store.ts';

/** `unknown`: it may have arrived. */
export type AgainState = 'failed' | 'unknown';

/**
 * Whether staff may send a message anew; null: they may not. Texts of the workshop's people alone: a notice may be wrong by now, and its
 * booking or quote tells again; of its own texts a partner decides, and campaigns send none twice.
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
  /** Of an unknown outcome: whoever asks knows that it may arrive twice. */
  readonly mayArriveTwice: boolean;
  readonly actor: Actor;
  readonly alongside?: Alongside<string>;
}

/**
 * The id of the text that goes in its place. What the operator could have tried again is settled by it. Throws OperatorError where it can't
 * be sent anew, InvalidInput (`twice`) where its outcome is unknown, and as `queueOwnSms`.
 */
export async function sendAgain(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  { workshopId, conversationId, messageId, mayArriveTwice, actor, alongside }: AskedAgain,
): Promise<string> {
  const { db, clock } = context;
  const named = { conversationId, messageId };
  return db.transaction(async (tx) => {
    const asked = isId(messageId) ? await findSent(tx, workshopId, named) : null;
    const to = asked && (await findAddressee(tx, workshopId, asked.customerId));
    if (!to) throw notOf({ what: 'workshop', id: workshopId }, 'message', messageId);
    await lockTalk(tx, to, clock.now());
    // As it is now that nobody else can send it.
    const sent = await findSent(tx, workshopId, named);
    if (sent === null) throw notOf({ what: 'workshop', id: workshopId }, 'message', messageId);
    if (sent.againId !== null) {
      await alongside?.(tx, sent.againId);
      return sent.againId;
    }
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
    if (queued === null) throw new Error('a text was sent again by what does not hold its talk');
    await dropDeadLetter(tx, { job: 'send', payload: { messageId } });
    await alongside?.(tx, queued.messageId);
    return queued.messageId;
  });
}
