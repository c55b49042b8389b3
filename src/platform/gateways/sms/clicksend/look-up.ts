/** Looks for our reference in ClickSend's history. The history can be filtered by recipient, but not by reference. */

import { timeOfId } from '#base/values/id.ts';
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { type Fields, isFields, jsonFields, listIn, textIn } from '../fields.ts';
import type { SmsLookUp } from '../gateway.ts';
import { notFoundYet } from '../not-found-yet.ts';

/** A hand-over starts when its reference is made, and takes ten seconds; the rest allows for clocks that differ. */
const aroundSeconds = 120;
/** Pages are small because each row holds the text; the time of a look-up allows this number of them. */
const pageSize = 25;
const pagesAtMost = 8;
/** A message with such a status may never have been accepted by ClickSend. */
const maybeNotTaken = /^(failed|cancelled)/i;

/** `accepted` when the history has the message, else `unknown`. */
export async function lookUpMessage(
  reference: string,
  to: string | undefined,
  getHistory: (query: URLSearchParams) => Promise<HttpResponse>,
): Promise<SmsLookUp> {
  const madeAt = timeOfId(reference);
  if (madeAt === null) return { state: 'unknown', permanent: true };
  const seconds = Math.floor(madeAt.getTime() / 1_000);
  for (let page = 1; page <= pagesAtMost; page++) {
    const answer = await getHistory(
      new URLSearchParams({
        ...(to && { q: `to:${to}` }),
        date_from: String(seconds - aroundSeconds),
        date_to: String(seconds + aroundSeconds),
        limit: String(pageSize),
        page: String(page),
      }),
    );
    const history = historyIn(answer);
    const ours = history?.rows.find((row) => isOf(row, reference));
    const gatewayId = textIn(ours ?? {}, 'message_id');
    if (gatewayId !== null) return { state: 'accepted', gatewayId };
    if (history === null || page >= history.lastPage) return notFoundYet(answer, madeAt);
  }
  // The history of that time has too many messages to read.
  return { state: 'unknown', permanent: true };
}

function historyIn(answer: HttpResponse): { rows: readonly Fields[]; lastPage: number } | null {
  if (answer.state !== 'answered' || answer.status !== 200) return null;
  const data = jsonFields(answer.body)?.['data'];
  if (!isFields(data)) return null;
  return { rows: listIn(data, 'data'), lastPage: Number(data['last_page']) || 1 };
}

function isOf(row: Fields, reference: string): boolean {
  return (
    textIn(row, 'custom_string') === reference &&
    textIn(row, 'direction') !== 'in' &&
    !maybeNotTaken.test(textIn(row, 'status') ?? '')
  );
}
