/** Staff's reply in a conversation: stored and queued at once. */
import type { Actor } from '#base/values/actor.ts';
import type { Context } from '#platform/context.ts';
import type { Alongside } from '#platform/events/page-withholds.ts';
import type { Ground } from '../staff/ground.ts';
import { judgeText, type QueuedSms, queueOwnSms } from '../staff/sms.ts';
import { lockTalk } from './answered/store.ts';
import { requireConversation } from './store.ts';

export interface Reply extends QueuedSms {
  readonly conversationId: string;
}

type Needed = Pick<Context, 'db' | 'clock' | 'config'>;

interface Further {
  /** Who wrote it, where the actor does not say. */
  readonly author?: string;
  /** Why the number may be texted (`../staff/ground.ts`). */
  readonly ground?: Ground;
  readonly alongside?: Alongside<Reply>;
}

/**
 * Null: there was a reply of this cause before, and nothing is sent. Throws InvalidInput for a text that is blank or too long, and
 * as `queueOwnSms`; OperatorError when there is no such conversation.
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
  { alongside, ...of }: Further & { readonly causeId?: string } = {},
): Promise<Reply | null> {
  const text = judgeText(typed);
  return context.db.transaction(async (tx) => {
    const head = await requireConversation(tx, conversationId);
    // Whoever has a conversation had a phone.
    const to = { ...head, isErased: head.phone === null };
    await lockTalk(tx, head, context.clock.now());
    const queued = await queueOwnSms(tx, context, to, { ...of, text, actor });
    if (queued === null) return null;
    const sent = { conversationId, ...queued };
    await alongside?.(tx, sent);
    return sent;
  });
}
