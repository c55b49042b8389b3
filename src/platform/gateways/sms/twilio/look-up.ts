/**
 * Looks for an attempt among the messages to its recipient. Twilio's list has neither our reference nor the callback URL, but it
 * has the text and the time of creation (Twilio's "Message resource", read multiple messages).
 */

import { timeOfId } from '#base/values/id.ts';
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { type Fields, jsonFields, listIn, textIn } from '../fields.ts';
import type { HandedOver, SmsLookUp } from '../gateway.ts';
import { notFoundYet } from '../not-found-yet.ts';
import { finalStatus } from './status.ts';

/** A hand-over starts when its reference is made, and takes ten seconds; the rest allows for clocks that differ. */
const window = { beforeMs: 20_000, afterMs: 30_000 };
/** The page size: newest first, and few enough for the longest response body that is read. */
const pageSize = 20;
/** A message is in the list as soon as it is created; after this time waiting for it is pointless. */
const showsWithinMs = 60_000;

/**
 * `accepted` when exactly one message matches, with its outcome; else `unknown`. Two matches prove that Twilio has one of them, but not which: the
 * look-up may be repeated, the hand-over never is.
 */
export async function lookUpMessage(
  reference: string,
  sms: HandedOver | undefined,
  getMessages: (query: URLSearchParams) => Promise<HttpResponse>,
): Promise<SmsLookUp> {
  const madeAt = timeOfId(reference);
  if (madeAt === null || sms === undefined || sms.body === '') return { state: 'unknown', permanent: true };
  const answer = await getMessages(new URLSearchParams({ To: sms.to, PageSize: String(pageSize) }));
  const fields = answer.state === 'answered' && answer.status === 200 ? jsonFields(answer.body) : null;
  if (fields === null) return notFoundYet(answer, madeAt, Number.POSITIVE_INFINITY);
  const [found, ...more] = listIn(fields, 'messages').filter((message) => fits(message, sms, madeAt));
  const gatewayId = textIn(found ?? {}, 'sid');
  if (gatewayId === null) return notFoundYet(answer, madeAt, showsWithinMs);
  if (more.length > 0) return { state: 'unknown' };
  const final = finalOf(found ?? {});
  return { state: 'accepted', gatewayId, ...(final && { final }) };
}

/** Twilio tries a report for some seconds only, so the list may be the only one to tell. */
const finalOf = (message: Fields) =>
  finalStatus(
    textIn(message, 'status') ?? '',
    Number(textIn(message, 'error_code') ?? 0),
    textIn(message, 'error_message'),
  );

function fits(message: Fields, { to, body }: HandedOver, madeAt: Date): boolean {
  const ageMs = Date.parse(textIn(message, 'date_created') ?? '') - madeAt.getTime();
  return (
    /^outbound/.test(textIn(message, 'direction') ?? '') &&
    [to, `rcs:${to}`].includes(textIn(message, 'to') ?? '') &&
    (textIn(message, 'body') ?? '').trim() === body.trim() &&
    ageMs >= -window.beforeMs &&
    ageMs <= window.afterMs
  );
}
