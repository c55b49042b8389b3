/** GET /sandbox/conversation: the SMS to a phone, and its answers. */
import type { Static } from 'typebox';
import { formatInstant } from '#base/values/instant.ts';
import { parsePhone } from '#base/values/phone.ts';
import { invalidFields } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { listAnswersOf } from '#product/messaging/inbound/store.ts';
import type { ConversationAnswer } from './schema.ts';
import { sizeOf } from './size.ts';
import { listSmsTo } from './store.ts';

const listedAtMost = 100;

/** Oldest first: the newest hundred of each direction. Throws 400 000001 for a text that is not a phone number. */
export async function readConversation(
  { db, config }: Pick<Context, 'db' | 'config'>,
  sent: string,
): Promise<Static<typeof ConversationAnswer>> {
  // A `+` that was not escaped in the query arrives as a space, which is trimmed.
  const phone = parsePhone(sent, 'AU') ?? parsePhone(`+${sent}`, 'AU');
  if (phone === null) {
    throw invalidFields([
      { field: 'phone', message: 'must be a valid phone number, or one with its country code' },
    ]);
  }
  const [texts, answers] = await Promise.all([
    listSmsTo(db, phone, listedAtMost),
    listAnswersOf(db, phone, listedAtMost),
  ]);
  const all = [
    ...texts.map((text) => ({ ...text, direction: 'outbound' as const })),
    ...answers.map((answer) => ({ ...answer, direction: 'inbound' as const, outcome: 'accepted' as const })),
  ].sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  return {
    messages: all.map((message) => ({
      ...message,
      ...sizeOf(message.body, config.sandboxSegmentPrice),
      at: formatInstant(message.at),
    })),
  };
}
