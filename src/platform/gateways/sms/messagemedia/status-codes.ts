/** Statuses of messages at MessageMedia, and their codes (its documentation, Delivery Reports). */
import { ownValue } from '#base/values/own-value.ts';
import type { FinalReport } from '../callbacks.ts';

/** Final statuses. Any other (`enroute`, `submitted`, `held` …) says that MessageMedia has accepted the message. */
const finalStates = new Map<string, FinalReport>([
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['expired', 'expired'],
  ['rejected', 'undelivered'],
  ['failed', 'undelivered'],
  ['undeliverable', 'undelivered'],
  ['cancelled', 'undelivered'],
]);

/** "Message discarded due to duplicate detection": the same text went to the same number within 24 hours. */
export const duplicateCode = '305';

/** The meaning of `error_code` and `status_code`. */
const meanings: Readonly<Record<string, string>> = {
  '220': 'delivered',
  '221': 'delivered to the handset',
  '301': "the account's usage limit is reached",
  '302': 'the number is blocked',
  '303': 'the sender is blocked',
  '304': 'dropped, ask MessageMedia why',
  '305': 'taken for a duplicate',
  '320': 'its time was over before it was sent',
  '330': 'failure of the gateway',
  '331': 'discarded',
  '332': 'no route to the number',
  '333': 'the sender is not supported for this number',
  '400': 'can not be delivered',
  '401': 'its time was over before it was delivered',
  '402': 'refused by the carrier',
  '403': 'skipped by the carrier',
  '405': 'cancelled by the carrier',
  '410': 'the sender is not valid',
  '411': 'the number is not valid',
  '412': 'the number is blocked',
  '413': 'the phone takes no SMS',
  '414': 'the phone can not be reached',
};

/** Returns the report that a status means, in a callback or in the list of sent messages; null for one that is not final. */
export function finalReport(
  status: string,
  code: string | null,
): { readonly state: FinalReport; readonly detail: string } | null {
  const state = finalStates.get(status);
  return state === undefined ? null : { state, detail: wordsOfReport(status, code) };
}

/** For example `rejected: the number is blocked (302)`. */
function wordsOfReport(status: string, code: string | null): string {
  if (code === null) return status.slice(0, 50);
  const meaning = ownValue(meanings, code);
  return meaning === undefined ? `${status} (${code})`.slice(0, 100) : `${status}: ${meaning} (${code})`;
}
