/**
 * Looks for an attempt among the messages to its recipient: Twilio's list has neither our reference nor the URL for reports,
 * but the text and when a message was created (Twilio's "Message resource", read multiple messages).
 */
import type { HttpAnswer } from '#gateways/http-call.ts';
import { timeOfId } from '#values/id.ts';
import { type Fields, jsonFields, listIn, textIn } from '../fields.ts';
import type { HandedOver, SmsLookUp } from '../gateway.ts';
import { notFoundYet } from '../not-found-yet.ts';

/** A hand-over begins when its reference is made and takes ten seconds; the rest is for clocks that differ. */
const window = { beforeMs: 20_000, afterMs: 30_000 };
/** The newest come first; so many that the answer stays within what is read of one. */
const pageSize = 20;
/** A message is in the list when it is created; after this time it is not worth waiting for. */
const showsWithinMs = 60_000;

/**
 * `accepted` when just one message of ours fits; else `unknown`. Two that fit prove that Twilio has one of them, and not which:
 * worth asking again, and never sent again.
 */
export async function lookUpMessage(
  reference: string,
  sms: HandedOver | undefined,
  getMessages: (query: URLSearchParams) => Promise<HttpAnswer>,
): Promise<SmsLookUp> {
  const madeAt = timeOfId(reference);
  if (madeAt === null || sms === undefined || sms.body === '') return { state: 'unknown', permanent: true };
  const answer = await getMessages(new URLSearchParams({ To: sms.to, PageSize: String(pageSize) }));
  const fields = answer.state === 'answered' && answer.status === 200 ? jsonFields(answer.body) : null;
  if (fields === null) return notFoundYet(answer, madeAt, Number.POSITIVE_INFINITY);
  const [found, ...more] = listIn(fields, 'messages').filter((message) => fits(message, sms, madeAt));
  const gatewayId = textIn(found ?? {}, 'sid');
  if (gatewayId === null) return notFoundYet(answer, madeAt, showsWithinMs);
  return more.length > 0 ? { state: 'unknown' } : { state: 'accepted', gatewayId };
}

function fits(message: Fields, { to, body }: HandedOver, madeAt: Date): boolean {
  const ageMs = Date.parse(textIn(message, 'date_created') ?? '') - madeAt.getTime();
  return (
    /^outbound/.test(textIn(message, 'direction') ?? '') &&
    textIn(message, 'to') === to &&
    (textIn(message, 'body') ?? '').trim() === body.trim() &&
    ageMs >= -window.beforeMs &&
    ageMs <= window.afterMs
  );
}
