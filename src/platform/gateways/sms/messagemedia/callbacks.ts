/**
 * Reads MessageMedia's callbacks. Reports of a message and answers to it come to its callback_url; other answers and opt-outs
 * come to the account's webhooks (its documentation, "Create webhook", payloads smsReceived, mmsReceived and optOut).
 */
import type { KeyObject } from 'node:crypto';
import { carriesToken } from '../callback-check.ts';
import type { DeliveryReport, InboundAttachment, InboundSms } from '../callbacks.ts';
import { type Fields, isFields, listIn, recordsOf, textIn, withAttachments, withPlus } from '../fields.ts';
import type { SmsCallbacks } from '../gateway.ts';
import { referenceKey } from './reference.ts';
import { hasSignature, isSigned } from './signature.ts';
import { duplicateCode, finalReport } from './status-codes.ts';

export interface CallbackOptions {
  readonly publicKeys: readonly KeyObject[];
  readonly callbackToken: string | null;
  /** The URL of this installation, without a trailing slash. */
  readonly publicUrl: string;
}

/** "Destination address blocked": the number is on the account's blacklist, which STOP adds it to. */
const blocked = new Set(['302', '412']);

/**
 * With keys, a request must be signed and its body must be JSON; with a token, its URL must carry it; with both, it needs both.
 */
export function messageMediaCallbacks(options: CallbackOptions): SmsCallbacks {
  const { publicKeys, callbackToken, publicUrl } = options;
  const pathBefore = new URL(publicUrl).pathname.replace(/\/$/, '');

  return {
    // The pictures of an MMS come within the request, a third longer than they are.
    bodyAtMostBytes: 2 * 1024 * 1024,

    senderOf(head) {
      const isSignedOrNeedNot = publicKeys.length === 0 || hasSignature(head);
      if (callbackToken === null) return publicKeys.length > 0 && isSignedOrNeedNot ? 'unclear' : 'stranger';
      return carriesToken(head, callbackToken) && isSignedOrNeedNot ? 'gateway' : 'stranger';
    },

    isGenuine(request) {
      if (publicKeys.length === 0 && callbackToken === null) return false;
      const hasToken = callbackToken === null || carriesToken(request, callbackToken);
      return hasToken && (publicKeys.length === 0 || isSigned(request, publicKeys, pathBefore));
    },

    reports(request) {
      const records = recordsOf(request, ['delivery_reports']);
      const reports = records?.filter(isReport) ?? [];
      if (records === null || (records.length > 0 && reports.length === 0)) return null;
      return reports.flatMap(reportOf);
    },

    inbound(request) {
      const records = recordsOf(request, ['replies']);
      const answers = records?.flatMap(answerOf) ?? [];
      return records === null || (records.length > 0 && answers.length === 0) ? null : answers;
    },
  };
}

const isReport = (record: Fields) => textIn(record, 'status') !== null && textIn(record, 'reply_id') === null;

/** Empty for a message that is not ours. */
function reportOf(record: Fields): DeliveryReport[] {
  const reference = referenceIn(record);
  const status = (textIn(record, 'status') ?? '').toLowerCase();
  if (reference === null) return [];
  const code = textIn(record, 'error_code') ?? textIn(record, 'status_code');
  const final = finalReport(status, code);
  if (final === null) return [{ reference, state: 'accepted', detail: null }];
  const why = final.state === 'undelivered' ? code : null;
  return [
    {
      reference,
      ...final,
      ...(why !== null && blocked.has(why) && { optedOut: true }),
      ...(why === duplicateCode && { duplicate: true }),
    },
  ];
}

function referenceIn(record: Fields): string | null {
  const { metadata } = record;
  return textIn(isFields(metadata) ? metadata : record, referenceKey);
}

/** Reads an answer, or the notification of an opt-out, whose id has another field. */
function answerOf(record: Fields): InboundSms[] {
  const notificationId = filledIn(record, 'notification_id');
  const from = filledIn(record, 'source_number');
  const body = notificationId === null ? contentOf(record) : (contentOf(record) ?? 'STOP');
  const attachments = attachmentsIn(record);
  if (from === null || body === null || !(notificationId ?? textIn(record, 'reply_id'))) return [];
  return [
    {
      gatewayId: notificationId ?? filledIn(record, 'reply_id') ?? '',
      from: withPlus(from),
      // An answer to a message without its own sender names no receiver.
      to: withPlus(filledIn(record, 'destination_number') ?? ''),
      body,
      inReplyTo: referenceIn(record),
      ...(attachments.length > 0 && { attachments }),
      ...(notificationId !== null && { optOut: 'stop' as const }),
    },
  ];
}

/** A template variable without a value in the event is left as it is written: `$moId`. */
function filledIn(record: Fields, name: string): string | null {
  const text = textIn(record, name);
  return text?.startsWith('$') ? null : text;
}

/** The reply of an MMS has attachments in place of the content. Null when there is neither. */
function contentOf(record: Fields): string | null {
  const { content, attachments } = record;
  const count = Array.isArray(attachments) ? attachments.length : 0;
  if (typeof content === 'string') return withAttachments(content, count);
  return count > 0 ? withAttachments('', count) : null;
}

function attachmentsIn(record: Fields): InboundAttachment[] {
  return listIn(record, 'attachments').map((attachment) => ({
    contentType: textIn(attachment, 'content_type') ?? '',
    base64: filledIn(attachment, 'content') ?? '',
  }));
}
