/** Looks for our reference in ClickSend's history, which can be filtered by the recipient, and not by it. */
import type { HttpAnswer } from '#gateways/http-call.ts';
import { timeOfId } from '#values/id.ts';
import { type Fields, isFields, jsonFields, listIn, textIn } from '../fields.ts';
import type { SmsLookUp } from '../gateway.ts';
import { notFoundYet } from '../not-found-yet.ts';

/** A hand-over begins when its reference is made and takes ten seconds; the rest is for clocks that differ. */
const aroundSeconds = 120;
/** Small pages, since each row holds its text; so many of them as fit into the time of a look-up. */
const pageSize = 25;
const pagesAtMost = 8;
/** Of these it is not sure that ClickSend ever took them. */
const doubtful = /^(failed|cancelled)/i;

/** `accepted` when the history has it, else `unknown`. */
export async function lookUpMessage(
  reference: string,
  to: string | undefined,
  getHistory: (query: URLSearchParams) => Promise<HttpAnswer>,
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
  // Too much was sent around that time.
  return { state: 'unknown', permanent: true };
}

function historyIn(answer: HttpAnswer): { rows: readonly Fields[]; lastPage: number } | null {
  if (answer.state !== 'answered' || answer.status !== 200) return null;
  const data = jsonFields(answer.body)?.['data'];
  if (!isFields(data)) return null;
  return { rows: listIn(data, 'data'), lastPage: Number(data['last_page']) || 1 };
}

function isOf(row: Fields, reference: string): boolean {
  return (
    textIn(row, 'custom_string') === reference &&
    textIn(row, 'direction') !== 'in' &&
    !doubtful.test(textIn(row, 'status') ?? '')
  );
}
