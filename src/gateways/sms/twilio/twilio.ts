/** Twilio, by its Messages resource over plain HTTP (docs/decisions/0002-twilio-sdk.md). */
import type { HttpPool } from '#gateways/http-pool.ts';
import { textIn } from '../fields.ts';
import { type OutboundSms, type SmsGateway, usualValidityMs } from '../gateway.ts';
import { basicAuthorization, jsonAnswer } from '../http-outcome.ts';
import { twilioCallbacks } from './callbacks.ts';
import { lookUpMessage } from './look-up.ts';
import { outcomeOf } from './outcome.ts';

export interface TwilioOptions {
  /** Of the API, without a slash at its end. */
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly username: string;
  readonly password: string;
  /** Who sends where the workshop has no sender. */
  readonly sender: { readonly from: string } | { readonly messagingServiceSid: string };
  /** Where Twilio reaches this installation, without a slash at its end. */
  readonly publicUrl: string;
  readonly http: HttpPool;
}

/** Read by Twilio and not sent to us: reports come again, for 15 seconds, when we are away or fail. */
const reportRetries = '#rc=5&rp=5xx,ct,rt';

/** "Create a Message": the seconds that a message may wait in Twilio's queue, and what it advises against less. */
const validitySeconds = { least: 6, most: 36_000 };

function validityPeriod(validForMs: number): string {
  const seconds = Math.floor(validForMs / 1_000);
  return String(Math.min(Math.max(seconds, validitySeconds.least), validitySeconds.most));
}

/** The workshop's own. */
const serviceOf = ({ accounts }: OutboundSms) => accounts?.['twilio'];

/** A report settles an unknown outcome by our reference, a look-up by recipient, text and time. */
export function twilioSms(options: TwilioOptions): SmsGateway {
  const { url, accountSid, authToken, username, password, sender, publicUrl, http } = options;
  const messagesUrl = new URL(`${url}/2010-04-01/Accounts/${accountSid}/Messages.json`);
  const headers = {
    authorization: basicAuthorization(username, password),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };

  function formOf(sms: OutboundSms): string {
    const { reference, to, from, body, validForMs = usualValidityMs } = sms;
    const service = serviceOf(sms);
    const own =
      'from' in sender ? { From: sender.from } : { MessagingServiceSid: sender.messagingServiceSid };
    return new URLSearchParams({
      To: to,
      // "Create a Message": a sender beside a service is one of its pool.
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
    // "Balance": of a main account; a subaccount has none.
    async balance(signal) {
      const balanceUrl = new URL(`${url}/2010-04-01/Accounts/${accountSid}/Balance.json`);
      const fields = jsonAnswer(await http.call(balanceUrl, { method: 'GET', headers, signal }));
      const amount = textIn(fields, 'balance');
      if (amount === null) throw new Error('Twilio does not tell a balance');
      return { amount, currency: textIn(fields, 'currency') };
    },
    lookUp: (reference, signal, _, sms) =>
      lookUpMessage(reference, sms, (query) =>
        http.call(new URL(`${messagesUrl}?${query}`), { method: 'GET', headers, signal }),
      ),
  };
}
