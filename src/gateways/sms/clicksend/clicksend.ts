/** ClickSend, by its REST API v3: https://developers.clicksend.com/docs/messaging/sms. */
import type { HttpPool } from '#gateways/http-pool.ts';
import { measureSms } from '#values/sms-text.ts';
import type { OutboundSms, SmsGateway } from '../gateway.ts';
import { basicAuthorization, refused } from '../http-outcome.ts';
import { clickSendCallbacks } from './callbacks.ts';
import { lookUpMessage } from './look-up.ts';
import { outcomeOf } from './outcome.ts';

export interface ClickSendOptions {
  /** Without a slash at its end. */
  readonly url: string;
  readonly username: string;
  readonly apiKey: string;
  readonly callbackToken: string;
  readonly http: HttpPool;
}

/** What is longer it cuts without a word. */
const partsAtMost = 8;

export function clickSendSms({ url, username, apiKey, callbackToken, http }: ClickSendOptions): SmsGateway {
  const headers = {
    authorization: basicAuthorization(username, apiKey),
    accept: 'application/json',
    'content-type': 'application/json',
  };
  const messageOf = ({ reference, to, from, body }: OutboundSms) => ({
    to,
    body,
    ...(from === null ? {} : { from }),
    source: 'pitlane',
    // Comes back with receipts and answers.
    custom_string: reference,
  });

  return {
    name: 'clicksend',
    callbacks: clickSendCallbacks(callbackToken),
    async send(sms, signal) {
      const { segments } = measureSms(sms.body);
      if (segments > partsAtMost)
        return {
          ...refused(`ClickSend takes ${partsAtMost} parts at most; the text needs ${segments}.`),
          elsewhere: true,
        };
      const body = JSON.stringify({ messages: [messageOf(sms)] });
      const answer = await http.call(new URL(`${url}/v3/sms/send`), {
        method: 'POST',
        headers,
        body,
        signal,
      });
      return outcomeOf(answer, sms.reference);
    },
    lookUp: (reference, signal, _, sms) =>
      lookUpMessage(reference, sms?.to, (query) =>
        http.call(new URL(`${url}/v3/sms/history?${query}`), { method: 'GET', headers, signal }),
      ),
  };
}
