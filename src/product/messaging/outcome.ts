/** The SMS result: the outcome of a send in the partner API (specification: Messages 6 and 7). */
import type { SmsReason } from '#platform/gateways/sms/gateway.ts';
import { limitTexts } from '#product/sending/limits/rules.ts';
import type { SmsResult } from './schema.ts';

const texts: Readonly<Record<SmsReason, string>> = {
  optedOut: 'Not sent: the customer has opted out of messages from this workshop.',
  mayHaveOptedOut:
    'Not sent: the customer may have asked for no more texts, and the workshop has not decided yet.',
  refused: 'Not sent: the carrier refused the SMS.',
  temporarilyRefused: 'Not sent: the carrier refused the SMS for now. Try again later.',
  invalidNumber: 'Not sent: the carrier does not know this number.',
  gatewayUnavailable: 'Not sent: the SMS gateway can not take it now. Try again later.',
  unknownOutcome: 'It is not known whether the SMS was sent: it may still arrive.',
  ...limitTexts,
};

export interface Outcome {
  readonly messageId: string;
  readonly conversationId: string;
  readonly sent: boolean;
  readonly reason: SmsReason | null;
  /** The redacted gateway text. */
  readonly detail: string | null;
}

export function smsResult(outcome: Outcome, referenceId: string | null): SmsResult {
  const { sent, reason, detail, messageId, conversationId } = outcome;
  const text = sent ? 'The SMS was sent.' : texts[reason ?? 'unknownOutcome'];
  // The detail of an unavailable gateway names settings, so only the operator sees it.
  const said = reason === 'gatewayUnavailable' || detail === text ? null : detail;
  return {
    success: sent,
    referenceId,
    sms: {
      sent,
      message: said ? `${text} (${said})` : text,
      messageId,
      conversationId,
      reason: sent ? null : reason,
    },
  };
}
