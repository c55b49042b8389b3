/** The status of a message at Twilio ("Message status values"), in its reports and in its list of messages. */
import { ownValue } from '#base/values/own-value.ts';
import type { FinalReport } from '../callbacks.ts';
import { expiredError, wordsOf } from './errors.ts';

/** Final statuses; any other (`queued`, `sending`, `sent` …) says that Twilio has accepted the SMS. */
const finalStates: Readonly<Partial<Record<string, FinalReport>>> = {
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'undelivered',
  canceled: 'undelivered',
};

export interface FinalStatus {
  readonly state: FinalReport;
  /** For people; null when Twilio gives no reason. */
  readonly detail: string | null;
}

/** Null for a status that is not final. `code` is 0 without an error, `said` Twilio's own words. */
export function finalStatus(status: string, code: number, said: string | null): FinalStatus | null {
  const state = ownValue(finalStates, status);
  if (state === undefined) return null;
  if (state === 'delivered') return { state, detail: null };
  const isExpired = code === expiredError;
  return { state: isExpired ? 'expired' : state, detail: detailOf(status, code, said) };
}

function detailOf(status: string, code: number, said: string | null): string | null {
  if (code > 0) return wordsOf(code, said);
  return status === 'canceled' ? 'It was cancelled at Twilio.' : null;
}
