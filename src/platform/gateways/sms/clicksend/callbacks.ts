/** Reads the callbacks of ClickSend's rules with an action URL: receipts, inbound SMS and MMS. ClickSend signs nothing. */
import { carriesToken, senderByToken } from '../callback-check.ts';
import type { DeliveryReport, InboundSms } from '../callbacks.ts';
import { type Fields, recordsOf, textIn, withAttachments, withPlus } from '../fields.ts';
import type { SmsCallbacks } from '../gateway.ts';
import { wordsOf } from '../http-outcome.ts';
import { mediaIn } from './media.ts';

/** Final status codes. 200 (on the way) and 300 (failed, ClickSend retries) are not final; see its help, SMS error codes. */
const delivered = '201';
const failed = '301';
/** ClickSend's staff stopped the message. The help page gives this status no code. */
const stopped = /^CancelledAfterReview$/i;
/** Error 20: no receipt came in time, so it is unknown whether the message was delivered. */
const receiptExpired = '20';

export function clickSendCallbacks(callbackToken: string): SmsCallbacks {
  return {
    senderOf: (head) => senderByToken(head, callbackToken),
    isGenuine: (request) => carriesToken(request, callbackToken),

    reports(request) {
      const records = recordsOf(request, ['data']);
      const receipts = records?.filter(isReceipt) ?? [];
      if (records === null || (records.length > 0 && receipts.length === 0)) return null;
      return receipts.flatMap(reportOf);
    },

    inbound(request) {
      const records = recordsOf(request, ['data']);
      const answers = records?.flatMap(answerOf) ?? [];
      return records === null || (records.length > 0 && answers.length === 0) ? null : answers;
    },
  };
}

const isStopped = (record: Fields) =>
  ['status', 'status_text'].some((name) => stopped.test(textIn(record, name) ?? ''));

const isReceipt = (record: Fields) => /^\d+$/.test(textIn(record, 'status_code') ?? '') || isStopped(record);

/** Empty for a message that is not ours. */
function reportOf(record: Fields): DeliveryReport[] {
  const reference = textIn(record, 'custom_string');
  const code = textIn(record, 'status_code');
  if (reference === null) return [];
  if (isStopped(record))
    return [{ reference, state: 'undelivered', detail: 'ClickSend stopped it after a review.' }];
  const isFinal = code === delivered || (code === failed && textIn(record, 'error_code') !== receiptExpired);
  if (!isFinal) return [{ reference, state: 'accepted', detail: null }];
  const words = textIn(record, 'error_text') ?? textIn(record, 'status_text');
  const detail = words === null ? null : wordsOf(words) || null;
  if (code === delivered) return [{ reference, state: 'delivered', detail }];
  return [{ reference, state: /\bexpired\b/i.test(detail ?? '') ? 'expired' : 'undelivered', detail }];
}

function answerOf(record: Fields): InboundSms[] {
  const [gatewayId, from] = [textIn(record, 'message_id'), textIn(record, 'from')];
  const text = textOf(record);
  const attachments = mediaIn(record, text ?? '');
  if (gatewayId === null || from === null || (text === null && attachments.length === 0)) return [];
  const body = withAttachments(text ?? '', attachments.length);
  const to = textIn(record, 'to') ?? textIn(record, 'originalsenderid') ?? '';
  const inReplyTo = textIn(record, 'custom_string') ?? textIn(record, 'customstring');
  const found = attachments.length > 0 && { attachments };
  return [{ gatewayId, from: withPlus(from), to: withPlus(to), body, inReplyTo, ...found }];
}

function textOf(record: Fields): string | null {
  const text = record['body'] ?? record['message'];
  return typeof text === 'string' ? text : null;
}
