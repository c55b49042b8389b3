/** Reads Kannel's callbacks: delivery reports (dlr-url) and inbound SMS (the get-url of its sms-service). */
import { carriesToken, senderByToken } from './callback-check.ts';
import type { DeliveryReport } from './callbacks.ts';
import type { CallbackRequest, SmsCallbacks } from './gateway.ts';

const queryOf = ({ url }: CallbackRequest) => url.slice(url.indexOf('?') + 1);

/** A query value as bytes: Kannel escapes the bytes of the character set that it names. */
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

type Report = Pick<DeliveryReport, 'state' | 'segment'>;

/**
 * For a long text, Kannel asks the carrier for a report on the first part only, and that report may come before a later part is
 * refused. So the SMS is delivered when both are reported: the carrier took all parts (type 8), and the first part arrived.
 */
const deliveredBy = (id: 'taken' | 'first', isLong: boolean): Report => ({
  state: 'delivered',
  ...(isLong ? { segment: { id, of: 2 } } : {}),
});

/**
 * Type 2 is any failure. A carrier receipt in the form of SMPP tells an expiry from other failures, and `stat:UNKNOWN` says that
 * the carrier does not know. Type 8: the carrier has accepted the SMS.
 */
function reportOf(type: string, detail: string, isLong: boolean): Report | null {
  if (type === '1') return deliveredBy('first', isLong);
  if (type === '2') return { state: failureIn(detail) };
  if (type === '8') return isLong ? deliveredBy('taken', isLong) : { state: 'accepted' };
  return type === '16' && !refusedAtOnce.test(detail) ? { state: 'undelivered' } : null;
}

function failureIn(receipt: string): Report['state'] {
  if (/\bstat:UNKNOWN\b/i.test(receipt)) return 'accepted';
  return /\bstat:EXPIRED\b/i.test(receipt) ? 'expired' : 'undelivered';
}

/**
 * Kannel also reports what it refused in its response. By then another gateway may have the SMS under the same reference, so only
 * the response counts.
 */
const refusedAtOnce =
  /^NACK\/(?:no SMSC|validity expired|(?:sender|receiver) (?:not )?in (?:white|black)-list)$/;

/** The detail for people. A receipt in the form of SMPP ends with the beginning of the text, which is left out. */
function wordsOf(detail: string): string | null {
  const refusal = /^NACK\/(.*)$/s.exec(detail)?.[1]?.trim();
  if (refusal !== undefined) return `The carrier refused it${refusal === '' ? '' : ` (${refusal})`}.`;
  const status = /\bstat:(\w+)/i.exec(detail)?.[1];
  if (status === undefined) return detail.replace(/\btext:.*$/is, '').trim() || null;
  const code = /\berr:(\w+)/i.exec(detail)?.[1];
  return `The carrier could not deliver it (${status}${code === undefined ? '' : `, error ${code}`}).`;
}

const isFailure = (state: DeliveryReport['state']) => state === 'undelivered' || state === 'expired';

export function kannelCallbacks(callbackToken: string): SmsCallbacks {
  return {
    senderOf: (head) => senderByToken(head, callbackToken),
    isGenuine: (request) => carriesToken(request, callbackToken),

    reports(request) {
      const query = new URLSearchParams(queryOf(request));
      const [reference, type] = [query.get('reference'), query.get('type')];
      const detail = query.get('detail') ?? '';
      if (!reference || !type || !/^\d+$/.test(type)) return null;
      const report = reportOf(type, detail, query.has('long'));
      if (report === null) return [];
      return [{ reference, ...report, detail: isFailure(report.state) ? wordsOf(detail) : null }];
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
