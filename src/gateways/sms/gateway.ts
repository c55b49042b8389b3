/** The contract that every SMS gateway fulfils. Gateways know no database and no domain. */

export interface OutboundSms {
  /** Our reference of this attempt: a look-up asks for it, and delivery reports carry it. */
  readonly reference: string;
  /** The message that this is an attempt of. */
  readonly messageId: string;
  /** E.164. */
  readonly to: string;
  /** The sender to show: a number or a name; null leaves it to the gateway. */
  readonly from: string | null;
  readonly body: string;
}

/** Why a message was not sent: the words of `sms.reason` on the wire, in the inbox and in reports. */
export const smsReasons = [
  'optedOut',
  'refused',
  'temporarilyRefused',
  'invalidNumber',
  'gatewayUnavailable',
  'unknownOutcome',
] as const;
export type SmsReason = (typeof smsReasons)[number];

export type SmsOutcome =
  | { readonly state: 'accepted'; readonly gatewayId: string }
  /** Certainly not sent. `permanent` says that trying again is pointless. `detail` is for people. */
  | {
      readonly state: 'refused';
      readonly permanent: boolean;
      readonly reason: SmsReason;
      readonly detail: string;
    }
  /** Handed over, but no answer: it may or may not arrive. */
  | { readonly state: 'unknown'; readonly detail: string };

export interface SmsGateway {
  readonly name: string;
  /** Hands one message over. Resolves within `timeoutMs` of `sendSms`, by `signal`; may reject, which counts as unknown. */
  send(sms: OutboundSms, signal: AbortSignal): Promise<SmsOutcome>;
  /** What became of the attempt with this reference: `accepted`, `notFound`, or `unknown` where it can't be asked. */
  lookUp(reference: string, signal: AbortSignal): Promise<SmsLookUp>;
}

export type SmsLookUp =
  | { readonly state: 'accepted'; readonly gatewayId: string }
  | { readonly state: 'notFound' }
  | { readonly state: 'unknown' };

/** A gateway that has not answered after this time is left: the outcome is unknown. */
export const smsTimeoutMs = 10_000;
