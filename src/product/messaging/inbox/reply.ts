/** Staff reply in a conversation: the SMS is stored and queued in one transaction. */
import type { Actor } from '#base/values/actor.ts';
import { type ChangeContext, change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Ground } from '../staff/ground.ts';
import { judgeText, type QueuedSms, queueOwnSms } from '../staff/sms.ts';
import { lockTalk } from './answered/store.ts';
import { requireConversation } from './store.ts';

export interface Reply extends QueuedSms {
  readonly conversationId: string;
}

type Needed = ChangeContext & Pick<Context, 'config'>;

interface Further {
  /** The author, when the actor does not name one. */
  readonly author?: string;
  /** Why the number may be texted (`../staff/ground.ts`). */
  readonly ground?: Ground;
}

/**
 * Null: a reply with this cause exists, and nothing is sent. Throws InvalidInput for a text that is blank or too long, what
 * `queueOwnSms` throws, and OperatorError when there is no such conversation.
 */
export async function reply(
  context: Needed,
  conversationId: string,
  typed: string,
  actor: Actor,
  of: Further & { readonly causeId: string },
): Promise<Reply | null>;
export async function reply(
  context: Needed,
  conversationId: string,
  typed: string,
  actor: Actor,
  of?: Further,
): Promise<Reply>;
export async function reply(
  context: Needed,
  conversationId: string,
  typed: string,
  actor: Actor,
  of: Further & { readonly causeId?: string } = {},
): Promise<Reply | null> {
  const text = judgeText(typed);
  return change(context, async ({ tx, now }) => {
    const head = await requireConversation(tx, conversationId);
    // A customer with a conversation had a phone, so a missing phone means that the customer was erased.
    const to = { ...head, isErased: head.phone === null };
    await lockTalk(tx, head, now);
    const queued = await queueOwnSms(tx, context, to, { ...of, text, actor });
    return queued && { conversationId, ...queued };
  });
}
