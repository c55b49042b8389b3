/** Kannel, over the HTTP interface of its smsbox (Kannel's user guide: "Using the HTTP interface to send SMS messages"). */

import { measureSms } from '#base/values/sms-text.ts';
import type { HttpResponse } from '#platform/gateways/http-call.ts';
import type { HttpPool } from '#platform/gateways/http-pool.ts';
import { type OutboundSms, type SmsGateway, type SmsOutcome, usualValidityMs } from './gateway.ts';
import { isRedirect, moved, refused, unavailable } from './http-outcome.ts';
import { kannelCallbacks } from './kannel-callbacks.ts';

export interface KannelOptions {
  /** URL of smsbox's sendsms. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly callbackToken: string;
  /** Where Kannel sends delivery reports: the URL of this installation with the path /gateways/kannel/reports. */
  readonly reportsUrl: string;
  readonly http: HttpPool;
}

/** Delivered, undelivered, accepted by the carrier (all parts of a long text), refused by the carrier (user guide, dlr-mask). */
const reportMask = 1 + 2 + 8 + 16;

/** Kannel's response bodies are short sentences; a proxy's may be longer. */
const wordsOf = (body: string) => body.trim().slice(0, 200);

/** Kannel has no look-up: the result is always `unknown`. It returns no id, so our reference is the id. */
export function kannelSms(options: KannelOptions): SmsGateway {
  const { url, username, password, callbackToken, reportsUrl, http } = options;

  function requestUrl(sms: OutboundSms): URL {
    const { reference, to, from, body, validForMs = usualValidityMs } = sms;
    const request = new URL(url);
    const { encoding, segments } = measureSms(body);
    const isLong = segments > 1;
    const report = `${reportsUrl}?token=${callbackToken}&reference=${reference}${isLong ? '&long=1' : ''}&type=%d&detail=%A`;
    const values = {
      username,
      password,
      to,
      ...(from === null ? {} : { from }),
      text: body,
      charset: 'UTF-8',
      coding: encoding === 'gsm7' ? '0' : '2',
      // In minutes.
      validity: String(Math.max(1, Math.ceil(validForMs / 60_000))),
      'dlr-mask': String(reportMask),
      'dlr-url': report,
    };
    for (const [name, value] of Object.entries(values)) request.searchParams.set(name, value);
    return request;
  }

  return {
    name: 'kannel',
    callbacks: kannelCallbacks(callbackToken),
    async send(sms, signal) {
      return outcomeOf(await http.call(requestUrl(sms), { method: 'GET', signal }), sms.reference);
    },
    lookUp: async () => ({ state: 'unknown', permanent: true }),
  };
}

function outcomeOf(answer: HttpResponse, reference: string): SmsOutcome {
  if (answer.state === 'lost') return { state: 'unknown', detail: answer.detail };
  if (answer.state === 'unreachable') return unavailable(answer.detail);
  const { status } = answer;
  const detail = wordsOf(answer.body);
  if (status === 202) return { state: 'accepted', gatewayId: reference };
  if (isRedirect(status)) return unavailable(moved('Kannel', 'KANNEL_URL'));
  // Kannel's text for a number that none of its connections serves; the status differs between versions.
  if (/not routable/i.test(detail)) {
    return { state: 'refused', permanent: true, reason: 'refused', detail, elsewhere: true };
  }
  // Kannel's queue is full, or Kannel is stopping. A 503 of a proxy says less: it may have passed the request on.
  if (status === 503 && /^temporal failure/i.test(detail)) {
    return { state: 'refused', permanent: false, reason: 'temporarilyRefused', detail, elsewhere: true };
  }
  if (status === 401 || status === 403)
    return unavailable('Kannel does not take the user name and password (KANNEL_USERNAME).');
  if (status === 404) return unavailable('There is no sendsms at KANNEL_URL.');
  if (status === 400) return refusedWith(detail);
  return { state: 'unknown', detail: `Kannel answered with status ${status}.` };
}

/** smsbox's texts for wrong settings: no sender, or a field that Pitlane writes itself. */
const settingsFault =
  /^(?:sender missing|(?:account|dlr-url|dlr-mask|coding|validity|priority)\b.*misformed)/i;

function refusedWith(detail: string): SmsOutcome {
  if (settingsFault.test(detail)) return unavailable(`Kannel: ${detail}`);
  return refused(detail, /receiver/i.test(detail) ? 'invalidNumber' : 'refused');
}
