/** Outcomes that an HTTP status alone decides, the same for all providers. */
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import { retryAfterMs } from '#platform/gateways/retry-after.ts';
import { type Fields, jsonFields } from './fields.ts';
import type { SmsOutcome } from './gateway.ts';

/** The provider's name, and the names of its settings, as shown to people. */
export interface Provider {
  readonly name: string;
  readonly urlSetting: string;
  readonly keySetting: string;
}

type Answered = HttpResponse & { readonly state: 'answered' };
type Refused = SmsOutcome & { readonly state: 'refused' };

/** Null when the status alone does not decide: the provider's body says the outcome. */
export function outcomeByStatus(answer: HttpResponse, provider: Provider): SmsOutcome | null {
  const found = outcomeOrResponse(answer, provider);
  return found.state === 'answered' ? null : found;
}

/** The same; else the response itself. */
export function outcomeOrResponse(answer: HttpResponse, provider: Provider): SmsOutcome | Answered {
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
 * The address has moved, and redirects are not followed: nothing was sent. 303 is left out, since it is the response to a request
 * that was carried out (RFC 9110, 15.4.4).
 */
export const isRedirect = (status: number) => [301, 302, 307, 308].includes(status);

export const moved = (name: string, urlSetting: string) =>
  `${name} has moved to another address: see ${urlSetting}. Nothing was sent.`;

function tooManyRequests({ headers }: Answered, name: string): Refused {
  const waitMs = retryAfterMs(headers);
  const outcome = notNow(`${name} takes no more requests for now.`);
  return waitMs === undefined ? outcome : { ...outcome, retryAfterMs: waitMs };
}

/** The gateway is set up wrongly: another gateway may accept the message, and this one may too later. */
export function unavailable(detail: string): Refused {
  return { state: 'refused', permanent: false, reason: 'gatewayUnavailable', detail, elsewhere: true };
}

/** The gateway is busy or down for now. */
export function notNow(detail: string): Refused {
  return { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail, elsewhere: true };
}

/** A refusal in another form than the provider's comes from a proxy in front of it, and says nothing about the message. */
export const notItsOwn = (name: string, status: number) =>
  unavailable(`Status ${status} came from something between here and ${name}.`);

/** The message itself is refused. */
export function refused(detail: string, reason: 'refused' | 'invalidNumber' = 'refused'): Refused {
  return { state: 'refused', permanent: true, reason, detail };
}

/** The provider's text, cut to a readable length, without phone numbers. */
export const wordsOf = (text: string) =>
  text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\+?\d[\d ().-]{4,}\d/g, '…')
    .trim()
    .slice(0, 200);

/** The fields of a successful JSON response. Throws for any other response. */
export function jsonResponse(answer: HttpResponse): Fields {
  const fields = answer.state === 'answered' && answer.status === 200 ? jsonFields(answer.body) : null;
  if (fields !== null) return fields;
  throw new Error(answer.state === 'answered' ? `status ${answer.status}` : answer.detail);
}

export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
