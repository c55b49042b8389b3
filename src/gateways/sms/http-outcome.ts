/** What providers behind HTTP say with the status alone, and how we put it. */
import type { HttpAnswer } from '#gateways/http-call.ts';
import { retryAfterMs } from '#gateways/retry-after.ts';
import type { SmsOutcome } from './gateway.ts';

/** The provider, and the settings to look at, in the words that people read. */
export interface Provider {
  readonly name: string;
  readonly urlSetting: string;
  readonly keySetting: string;
}

type Answered = HttpAnswer & { readonly state: 'answered' };
type Refused = SmsOutcome & { readonly state: 'refused' };

/** Null for an answer that the provider has to be asked about: its own words say what became of the message. */
export function outcomeByStatus(answer: HttpAnswer, provider: Provider): SmsOutcome | null {
  const found = outcomeOrAnswer(answer, provider);
  return found.state === 'answered' ? null : found;
}

/** The same, with that answer itself. */
export function outcomeOrAnswer(answer: HttpAnswer, provider: Provider): SmsOutcome | Answered {
  if (answer.state === 'lost') return { state: 'unknown', detail: answer.detail };
  if (answer.state === 'unreachable') return unavailable(answer.detail);
  const { name, urlSetting, keySetting } = provider;
  const { status } = answer;
  if (status === 401) return unavailable(`${name} does not take the user name and key (${keySetting}).`);
  if (status === 403) return unavailable(`${name} does not allow this account to send.`);
  if (isRedirect(status)) return unavailable(moved(name, urlSetting));
  if (status === 404 || status === 405) return unavailable(`${name} has no such page: see ${urlSetting}.`);
  if (status === 429) return tooManyRequests(answer, name);
  const isOwn = (status >= 200 && status < 300) || (status >= 400 && status < 500 && status !== 408);
  return isOwn ? answer : { state: 'unknown', detail: `${name} answered with status ${status}.` };
}

/**
 * The address has moved, and redirects are not followed: nothing was sent. 303 is left out, since it answers a request that
 * was carried out (RFC 9110, 15.4.4).
 */
export const isRedirect = (status: number) => [301, 302, 307, 308].includes(status);

export const moved = (name: string, urlSetting: string) =>
  `${name} has moved to another address: see ${urlSetting}. Nothing was sent.`;

function tooManyRequests({ headers }: Answered, name: string): Refused {
  const waitMs = retryAfterMs(headers);
  const outcome = notNow(`${name} takes no more requests for now.`);
  return waitMs === undefined ? outcome : { ...outcome, retryAfterMs: waitMs };
}

/** The gateway can't be used as it is: another one may take the message, and so may this one later. */
export function unavailable(detail: string): Refused {
  return { state: 'refused', permanent: false, reason: 'gatewayUnavailable', detail, elsewhere: true };
}

/** The gateway takes nothing for now. */
export function notNow(detail: string): Refused {
  return { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail, elsewhere: true };
}

/** A refusal that is not in the provider's form comes from something before it, a proxy perhaps: no word about the message. */
export const notItsOwn = (name: string, status: number) =>
  unavailable(`Status ${status} came from something between here and ${name}.`);

/** The message is refused for what it is. */
export function refused(detail: string, reason: 'refused' | 'invalidNumber' = 'refused'): Refused {
  return { state: 'refused', permanent: true, reason, detail };
}

/** A provider's words, as long as a person reads them, without the phone numbers that it repeats. */
export const wordsOf = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\+?\d[\d ().-]{4,}\d/g, '…')
    .trim()
    .slice(0, 200);

export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
