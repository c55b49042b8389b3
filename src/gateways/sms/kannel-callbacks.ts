/** What Kannel brings: delivery reports by dlr-url, customers' answers by the get-url of its sms-service. */
import { isSameText } from '#gateways/same-text.ts';
import type { DeliveryReport } from './callbacks.ts';
import type { CallbackRequest, SmsCallbacks } from './gateway.ts';

const queryOf = ({ url }: CallbackRequest) => url.slice(url.indexOf('?') + 1);

/** A value as bytes: Kannel escapes the bytes of the character set that it names. */
function bytesOf(query: string, name: string): Buffer | null {
  const pair = query.split('&').find((part) => part.startsWith(`${name}=`));
  if (pair === undefined) return null;
  const text = pair.slice(name.length + 1).replaceAll('+', ' ');
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

function textOf(bytes: Buffer, charset: string): string {
  const encoding = /^utf-?16|ucs-?2/i.test(charset) ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** Type 2 is any failure; the carrier's own receipt, where it has the form of SMPP's, tells an expiry from the rest. */
function stateOf(type: string, detail: string): DeliveryReport['state'] | null {
  if (type === '1') return 'delivered';
  if (type === '2') return /\bstat:EXPIRED\b/i.test(detail) ? 'expired' : 'undelivered';
  return type === '16' ? 'undelivered' : null;
}

/** Without the beginning of the text, which a receipt in SMPP's form ends with. */
const withoutText = (detail: string) =>
  detail
    .replace(/\s*\btext:.*$/is, '')
    .trim()
    .slice(0, 200) || null;

export function kannelCallbacks(callbackToken: string): SmsCallbacks {
  return {
    isGenuine: (request) =>
      isSameText(new URLSearchParams(queryOf(request)).get('token') ?? '', callbackToken),

    reports(request) {
      const query = new URLSearchParams(queryOf(request));
      const [reference, type] = [query.get('reference'), query.get('type')];
      const detail = query.get('detail') ?? '';
      if (!reference || !type || !/^\d+$/.test(type)) return null;
      const state = stateOf(type, detail);
      return state === null ? [] : [{ reference, state, detail: withoutText(detail) }];
    },

    inbound(request) {
      const text = queryOf(request);
      const query = new URLSearchParams(text);
      const [gatewayId, from, to] = [query.get('id'), query.get('from'), query.get('to')];
      const body = bytesOf(text, 'text');
      if (!gatewayId || !from || !to || body === null) return null;
      return [{ gatewayId, from, to, body: textOf(body, query.get('charset') ?? '') }];
    },
  };
}
