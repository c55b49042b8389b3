/**
 * Twilio, by its Messages resource over plain HTTP; the signatures of its own requests are checked by its SDK
 * (docs/decisions/0002-twilio-sdk.md).
 */
import type { HttpPool } from '#gateways/http-pool.ts';
import type { OutboundSms, SmsGateway } from '../gateway.ts';
import { basicAuthorization } from '../http-outcome.ts';
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

/** A report settles an unknown outcome by our reference, a look-up by recipient, text and time. */
export function twilioSms(options: TwilioOptions): SmsGateway {
  const { url, accountSid, authToken, username, password, sender, publicUrl, http } = options;
  const messagesUrl = new URL(`${url}/2010-04-01/Accounts/${accountSid}/Messages.json`);
  const headers = {
    authorization: basicAuthorization(username, password),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };

  function formOf({ reference, to, from, body }: OutboundSms): string {
    const own =
      'from' in sender ? { From: sender.from } : { MessagingServiceSid: sender.messagingServiceSid };
    return new URLSearchParams({
      To: to,
      ...(from === null ? own : { From: from }),
      Body: body,
      StatusCallback: `${publicUrl}/gateways/twilio/reports?reference=${reference}${reportRetries}`,
    }).toString();
  }

  return {
    name: 'twilio',
    callbacks: twilioCallbacks(authToken, publicUrl),
    async send(sms, signal) {
      const answer = await http.call(messagesUrl, { method: 'POST', headers, body: formOf(sms), signal });
      return outcomeOf(answer, sms.from !== null);
    },
    lookUp: (reference, signal, _, sms) =>
      lookUpMessage(reference, sms, (query) =>
        http.call(new URL(`${messagesUrl}?${query}`), { method: 'GET', headers, signal }),
      ),
  };
}
