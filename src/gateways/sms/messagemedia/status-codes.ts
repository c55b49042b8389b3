/** The meaning of `error_code` in MessageMedia's reports (its documentation, Delivery Reports). */
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

/** For example `rejected: the number is blocked (302)`. */
export function wordsOfReport(status: string, code: string | null): string {
  if (code === null) return status.slice(0, 50);
  const meaning = meanings[code];
  return meaning === undefined ? `${status} (${code})`.slice(0, 100) : `${status}: ${meaning} (${code})`;
}
