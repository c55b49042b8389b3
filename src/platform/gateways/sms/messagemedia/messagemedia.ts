/** MessageMedia (Sinch Engage), by its REST API: https://developers.messagemedia.com, Messages. */
import type { KeyObject } from 'node:crypto';
import { timeOfId } from '#base/values/id.ts';
import type { HttpPool } from '#platform/gateways/http-pool.ts';
import { type OutboundSms, type SmsGateway, usualValidityMs } from '../gateway.ts';
import { basicAuthorization } from '../http-outcome.ts';
import { takeOffBlacklist } from './blacklist.ts';
import { messageMediaCallbacks } from './callbacks.ts';
import { lookUpMessage } from './look-up.ts';
import { outcomeOf } from './outcome.ts';
import { referenceKey } from './reference.ts';

export interface MessageMediaOptions {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly publicKeys: readonly KeyObject[];
  readonly callbackToken: string | null;
  /** The URL of this installation, without a trailing slash. */
  readonly publicUrl: string;
  readonly http: HttpPool;
}

export function messageMediaSms(options: MessageMediaOptions): SmsGateway {
  const { url, apiKey, apiSecret, publicKeys, callbackToken, publicUrl, http } = options;
  const token = callbackToken === null ? '' : `?token=${callbackToken}`;
  // MessageMedia sends the reports of a message and the answers to it to this one URL.
  const callbackUrl = `${publicUrl}/gateways/messagemedia/callbacks${token}`;
  const headers = {
    authorization: basicAuthorization(apiKey, apiSecret),
    accept: 'application/json',
    'content-type': 'application/json',
  };
  // "Sending from sub-accounts".
  const headersFor = (account: string | null) => (account === null ? headers : { ...headers, account });
  const post = (path: string, content: unknown, signal: AbortSignal, account: string | null = null) =>
    http.call(new URL(`${url}${path}`), {
      method: 'POST',
      headers: headersFor(account),
      body: JSON.stringify(content),
      signal,
    });

  function messageOf({ reference, to, from, body, validForMs = usualValidityMs }: OutboundSms) {
    // A reference is made when the hand-over begins.
    const begunAt = timeOfId(reference);
    return {
      content: body,
      destination_number: to,
      format: 'SMS',
      ...(from === null ? {} : { source_number: from, source_number_type: typeOf(from) }),
      ...(begunAt && { message_expiry_timestamp: new Date(begunAt.getTime() + validForMs).toISOString() }),
      delivery_report: true,
      callback_url: callbackUrl,
      metadata: { [referenceKey]: reference },
    };
  }

  return {
    name: 'messagemedia',
    callbacks: messageMediaCallbacks({ publicKeys, callbackToken, publicUrl }),
    async send(sms, signal) {
      const account = sms.accounts?.['messagemedia'];
      const answer = await post('/v1/messages', { messages: [messageOf(sms)] }, signal, account);
      return outcomeOf(answer, account !== undefined);
    },
    async optIn(phone, { account }, signal) {
      await takeOffBlacklist(phone, account, (method, path) =>
        http.call(new URL(`${url}${path}`), { method, headers: headersFor(account), signal }),
      );
      return { state: 'told' };
    },
    lookUp: (reference, signal) => lookUpMessage(reference, (path, content) => post(path, content, signal)),
  };
}

function typeOf(sender: string): 'INTERNATIONAL' | 'SHORTCODE' | 'ALPHANUMERIC' {
  if (/^\+\d+$/.test(sender)) return 'INTERNATIONAL';
  return /^\d+$/.test(sender) ? 'SHORTCODE' : 'ALPHANUMERIC';
}
