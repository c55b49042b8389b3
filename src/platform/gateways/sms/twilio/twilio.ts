/** Twilio, by its Messages resource over plain HTTP (docs/decisions/0002-twilio-sdk.md). */
import { download } from '#platform/gateways/download.ts';
import type { HttpPool } from '#platform/gateways/http-pool.ts';
import { textIn } from '../fields.ts';
import { type OutboundSms, type SmsGateway, usualValidityMs } from '../gateway.ts';
import { basicAuthorization, jsonResponse } from '../http-outcome.ts';
import { twilioCallbacks } from './callbacks.ts';
import { giveConsent } from './consent.ts';
import { lookUpMessage } from './look-up.ts';
import { mediaUrl } from './media.ts';
import { outcomeOf } from './outcome.ts';

export interface TwilioOptions {
  /** Base URL of the API, without a trailing slash. */
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly username: string;
  readonly password: string;
  /** Sends for workshops that have no sender. */
  readonly sender: { readonly from: string } | { readonly messagingServiceSid: string };
  /** The URL by which Twilio reaches this installation, without a trailing slash. */
  readonly publicUrl: string;
  /** Base URL of the Consent API, without a trailing slash; null: it is not used. */
  readonly consentUrl?: string | null;
  readonly http: HttpPool;
  /** How pictures are fetched; another one in tests. */
  readonly fetching?: typeof download;
}

/** Twilio reads this part of the URL itself: it retries callbacks for 15 seconds when we are down or fail. */
const reportRetries = '#rc=5&rp=5xx,ct,rt';

/** "Create a Message": bounds of the seconds that a message may wait in Twilio's queue; Twilio advises against fewer. */
const validitySeconds = { least: 6, most: 36_000 };

function validityPeriod(validForMs: number): string {
  const seconds = Math.floor(validForMs / 1_000);
  return String(Math.min(Math.max(seconds, validitySeconds.least), validitySeconds.most));
}

/** The workshop's own credentials. */
const serviceOf = ({ accounts }: OutboundSms) => accounts?.['twilio'];

/** A delivery report settles an unknown outcome by our reference; a look-up does by recipient, text and time. */
export function twilioSms(options: TwilioOptions): SmsGateway {
  const {
    url,
    accountSid,
    authToken,
    username,
    password,
    sender,
    publicUrl,
    consentUrl = null,
    http,
    fetching = download,
  } = options;
  const messagesUrl = new URL(`${url}/2010-04-01/Accounts/${accountSid}/Messages.json`);
  const headers = {
    authorization: basicAuthorization(username, password),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };

  const ownSender = 'from' in sender ? sender.from : sender.messagingServiceSid;

  function formOf(sms: OutboundSms): string {
    const { reference, to, from, body, validForMs = usualValidityMs } = sms;
    const service = serviceOf(sms);
    const own =
      'from' in sender ? { From: sender.from } : { MessagingServiceSid: sender.messagingServiceSid };
    return new URLSearchParams({
      To: to,
      // "Create a Message": a sender beside a service is one of the service's pool.
      ...(service !== undefined && { MessagingServiceSid: service }),
      ...(from === null ? service === undefined && own : { From: from }),
      Body: body,
      ValidityPeriod: validityPeriod(validForMs),
      StatusCallback: `${publicUrl}/gateways/twilio/reports?reference=${reference}${reportRetries}`,
    }).toString();
  }

  return {
    name: 'twilio',
    callbacks: twilioCallbacks(authToken, publicUrl),
    async send(sms, signal) {
      const answer = await http.call(messagesUrl, { method: 'POST', headers, body: formOf(sms), signal });
      return outcomeOf(answer, {
        isOwnSender: sms.from !== null,
        isOwnService: serviceOf(sms) !== undefined,
      });
    },
    async fetchAttachment(named, limitBytes, signal) {
      const from = mediaUrl(named, url);
      if (from === null) return { state: 'refused', reason: 'addressNotAllowed', sizeBytes: null };
      return fetching(from, { headers: { authorization: headers.authorization }, limitBytes, signal });
    },
    // "Balance": of a main account; a subaccount has none.
    async balance(signal) {
      const balanceUrl = new URL(`${url}/2010-04-01/Accounts/${accountSid}/Balance.json`);
      const fields = jsonResponse(await http.call(balanceUrl, { method: 'GET', headers, signal }));
      const amount = textIn(fields, 'balance');
      if (amount === null) throw new Error('Twilio does not tell a balance');
      return { amount, currency: textIn(fields, 'currency') };
    },
    hearsWords: true,
    ...(consentUrl !== null && {
      optIn: (phone, { account, from, ...given }, signal) =>
        giveConsent({ ...given, phone, sender: account ?? from ?? ownSender }, (body) =>
          http.call(new URL(`${consentUrl}/v1/Consents/Bulk`), { method: 'POST', headers, body, signal }),
        ),
    }),
    lookUp: (reference, signal, _, sms) =>
      lookUpMessage(reference, sms, (query) =>
        http.call(new URL(`${messagesUrl}?${query}`), { method: 'GET', headers, signal }),
      ),
  };
}
