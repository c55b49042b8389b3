/** Staff's reply in a conversation: stored and queued at once. */
import type { Clock } from '#clock.ts';
import type { Database } from '#db/database.ts';
import { InvalidInput, OperatorError } from '#operator-error.ts';
import { enqueue } from '#sending/enqueue.ts';
import { measureSms } from '#values/sms-text.ts';
import { cleanText } from '#values/text.ts';
import { segmentsAtMost, tooLong } from '../rules.ts';
import { requireConversation } from './require.ts';
import type { ConversationHead } from './store.ts';

export interface Reply {
  readonly conversationId: string;
  readonly messageId: string;
  readonly encoding: 'gsm7' | 'ucs2';
  readonly segments: number;
}

/**
 * Null: there was a reply of this cause before, and nothing is sent. Throws InvalidInput for a text that is blank or too long, and OperatorError when there is no such conversation, or its
 * customer can't get an SMS.
 */
export async function reply(
  db: Database,
  clock: Clock,
  conversationId: string,
  typed: string,
  causeId: string,
): Promise<Reply | null>;
export async function reply(
  db: Database,
  clock: Clock,
  conversationId: string,
  typed: string,
): Promise<Reply>;
export async function reply(
  db: Database,
  clock: Clock,
  conversationId: string,
  typed: string,
  causeId: string | null = null,
): Promise<Reply | null> {
  const text = cleanText(typed.replaceAll('\0', ''));
  if (text === '') throw new InvalidInput([{ field: 'text', message: 'must not be blank' }]);
  const { encoding, segments } = measureSms(text);
  if (segments > segmentsAtMost) throw new InvalidInput([tooLong('text', segments)]);

  return db.transaction(async (tx) => {
    const head = await requireConversation(tx, conversationId);
    const { workshopId, customerId, phone } = head;
    if (head.optedOut || !phone?.startsWith('+')) {
      throw new OperatorError(`not sent: customer ${customerId} ${whyNot(head)}`);
    }
    const message = {
      kind: 'reply',
      workshopId,
      channel: 'sms',
      audience: 'customer',
      customerId,
      recipient: phone,
      body: text,
      causeId,
    } as const;
    const [queued] = await enqueue(tx, [message], { now: clock.now(), exemptCountries: [] });
    if (queued === undefined) throw new Error('a reply was not stored');
    if (queued.state === 'known') return null;
    return { conversationId, messageId: queued.messageId, encoding, segments };
  });
}

function whyNot({ optedOut, phone }: ConversationHead): string {
  if (optedOut) return 'has opted out of SMS from this workshop';
  return phone === null
    ? 'has no phone any more, since their data was erased'
    : `wrote as ${JSON.stringify(phone)}, which is no number that can be answered`;
}
