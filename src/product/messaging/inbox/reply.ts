/** Staff's reply in a conversation: stored and queued at once. */
import type { Clock } from '#base/clock.ts';
import type { Actor } from '#base/values/actor.ts';
import type { Database } from '#platform/db/database.ts';
import { judgeText, type QueuedSms, queueOwnSms } from '../staff/sms.ts';
import { requireConversation } from './store.ts';

export interface Reply extends QueuedSms {
  readonly conversationId: string;
}

/**
 * Null: there was a reply of this cause before, and nothing is sent. Throws InvalidInput for a text that is blank or too long, and
 * OperatorError when there is no such conversation, or as `queueOwnSms`.
 */
export async function reply(
  db: Database,
  clock: Clock,
  conversationId: string,
  typed: string,
  actor: Actor,
  causeId: string,
): Promise<Reply | null>;
export async function reply(
  db: Database,
  clock: Clock,
  conversationId: string,
  typed: string,
  actor: Actor,
): Promise<Reply>;
export async function reply(
  db: Database,
  clock: Clock,
  conversationId: string,
  typed: string,
  actor: Actor,
  causeId: string | null = null,
): Promise<Reply | null> {
  const text = judgeText(typed);
  return db.transaction(async (tx) => {
    const head = await requireConversation(tx, conversationId);
    // Whoever has a conversation had a phone.
    const to = { ...head, isErased: head.phone === null };
    const queued = await queueOwnSms(tx, clock, to, { text, causeId, actor });
    return queued && { conversationId, ...queued };
  });
}
