/** Looks for our reference in MessageMedia's report of sent messages. */

import { timeOfId } from '#base/values/id.ts';
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { type Fields, jsonFields, listIn, textIn } from '../fields.ts';
import type { SmsLookUp } from '../gateway.ts';
import { notFoundYet } from '../not-found-yet.ts';
import { referenceKey } from './reference.ts';
import { duplicateCode, finalReport } from './status-codes.ts';

/** A hand-over starts when its reference is made, and takes ten seconds; the rest allows for clocks that differ. */
const aroundMs = 10 * 60_000;

/** `accepted` when the report has the message, with its outcome; else `unknown`. */
export async function lookUpMessage(
  reference: string,
  post: (path: string, content: unknown) => Promise<HttpResponse>,
): Promise<SmsLookUp> {
  const madeAt = timeOfId(reference);
  if (madeAt === null) return { state: 'unknown', permanent: true };
  const answer = await post('/v2-preview/reporting/messages/detail', {
    start_date: new Date(madeAt.getTime() - aroundMs).toISOString(),
    end_date: new Date(madeAt.getTime() + aroundMs).toISOString(),
    timezone: 'UTC',
    direction: 'outbound',
    metadata_key: referenceKey,
    metadata_value: reference,
    page_size: 10,
  });
  const fields = answer.state === 'answered' && answer.status === 200 ? jsonFields(answer.body) : null;
  const ours = listIn(fields ?? {}, 'messages').find((message) => isOf(message, reference));
  const gatewayId = textIn(ours ?? {}, 'message_id');
  if (gatewayId === null) return notFoundYet(answer, madeAt);
  const final = finalOf(ours ?? {});
  return { state: 'accepted', gatewayId, ...(final && { final }) };
}

/** Returns the final state; of a duplicate none, since its delivery report says whose it is. */
function finalOf(message: Fields) {
  const code = textIn(message, 'status_code');
  return code === duplicateCode ? null : finalReport(textIn(message, 'status') ?? '', code);
}

/** Checks the reference again: a message that passes a broken filter would settle an unknown outcome wrongly. */
function isOf(message: Fields, reference: string): boolean {
  return listIn(message, 'metadata').some(
    (pair) => textIn(pair, 'key') === referenceKey && textIn(pair, 'value') === reference,
  );
}
