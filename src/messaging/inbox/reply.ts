/** Staff's reply in a conversation: stored at once, sent by a job. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import { InvalidInput, OperatorError } from '#operator-error.ts';
import { measureSms } from '#values/sms-text.ts';
import { normaliseString } from '#values/text.ts';
import { type Queued, queueMessage } from '../queued/store.ts';
import { segmentsAtMost, tooLong } from '../segments.ts';
import { requireConversation } from './require.ts';

export interface Reply {
  readonly conversationId: string;
  readonly messageId: string;
  readonly encoding: 'gsm7' | 'ucs2';
  readonly segments: number;
}

/**
 * Throws InvalidInput for a text that is blank or too long, and OperatorError when there is no such conversation, or its
 * customer gets no SMS.
 */
export async function reply(
  db: Queryable,
  clock: Clock,
  conversationId: string,
  typed: string,
): Promise<Reply> {
  const text = normaliseString(typed).replaceAll('\0', '');
  if (text === '') throw new InvalidInput([{ field: 'text', message: 'must not be blank' }]);
  const { encoding, segments } = measureSms(text);
  if (segments > segmentsAtMost) throw new InvalidInput([tooLong('text', segments)]);

  const { customerId } = await requireConversation(db, conversationId);
  const queued = await queueMessage(db, { conversationId, text, despiteOptOut: false, now: clock.now() });
  if (queued?.messageId) return { conversationId, messageId: queued.messageId, encoding, segments };
  throw new OperatorError(`not sent: customer ${customerId} ${whyNot(queued)}`);
}

function whyNot(queued: Queued | null): string {
  if (queued?.optedOut) return 'has opted out of SMS from this workshop';
  const phone = queued?.phone ?? null;
  return phone === null
    ? 'has no phone any more, since their data was erased'
    : `wrote as ${JSON.stringify(phone)}, which is no number that can be answered`;
}
