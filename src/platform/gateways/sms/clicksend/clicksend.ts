/** ClickSend, by its REST API v3: https://developers.clicksend.com/docs/messaging/sms. */

import { measureSms } from '#base/values/sms-text.ts';
import { download } from '#platform/gateways/download.ts';
import type { HttpPool } from '#platform/gateways/http-pool.ts';
import { isFields, textIn } from '../fields.ts';
import type { OutboundSms, SmsGateway } from '../gateway.ts';
import { basicAuthorization, jsonResponse, refused } from '../http-outcome.ts';
import { clickSendCallbacks } from './callbacks.ts';
import { lookUpMessage } from './look-up.ts';
import { mediaUrl } from './media.ts';
import { outcomeOf } from './outcome.ts';

export interface ClickSendOptions {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  readonly username: string;
  readonly apiKey: string;
  /** API keys of subaccounts, by user name. */
  readonly subaccounts?: ReadonlyMap<string, string>;
  readonly callbackToken: string;
  readonly http: HttpPool;
  /** How pictures are fetched; another one in tests. */
  readonly fetching?: typeof download;
}

/** ClickSend silently cuts a longer text. */
const partsAtMost = 8;

export function clickSendSms(options: ClickSendOptions): SmsGateway {
  const { url, username, apiKey, subaccounts, callbackToken, http, fetching = download } = options;
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
    // ClickSend returns it in receipts and inbound SMS.
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
      const subaccount = sms.accounts?.['clicksend'];
      const key = subaccount === undefined ? apiKey : subaccounts?.get(subaccount);
      if (key === undefined)
        return { ...refused(`There is no key of ${subaccount} in CLICKSEND_SUBACCOUNTS.`), elsewhere: true };
      const body = JSON.stringify({ messages: [messageOf(sms)] });
      const answer = await http.call(new URL(`${url}/v3/sms/send`), {
        method: 'POST',
        headers: { ...headers, authorization: basicAuthorization(subaccount ?? username, key) },
        body,
        signal,
      });
      return outcomeOf(answer, sms.reference, subaccount !== undefined);
    },
    // The link needs no credentials, and came in a request that is not signed.
    async fetchAttachment(named, limitBytes, signal) {
      const from = mediaUrl(named);
      if (from === null) return { state: 'refused', reason: 'addressNotAllowed', sizeBytes: null };
      return fetching(from, { headers: {}, limitBytes, signal, untrusted: true });
    },
    // ClickSend's operation "Get account".
    async balance(signal) {
      const accountUrl = new URL(`${url}/v3/account`);
      const { data } = jsonResponse(await http.call(accountUrl, { method: 'GET', headers, signal }));
      const account = isFields(data) ? data : {};
      const amount = textIn(account, 'balance');
      if (amount === null) throw new Error('ClickSend does not tell a balance');
      const currency = account['_currency'] ?? account['currency'];
      return { amount, currency: isFields(currency) ? textIn(currency, 'currency_name_short') : null };
    },
    lookUp: (reference, signal, _, sms) =>
      lookUpMessage(reference, sms?.to, (query) =>
        http.call(new URL(`${url}/v3/sms/history?${query}`), { method: 'GET', headers, signal }),
      ),
  };
}
