/** The contract that every SMS gateway fulfils. Gateways know no database and no domain. */
import type { Download } from '#gateways/download.ts';
import type { GatewayLimiter } from '#gateways/limiter/limiter.ts';
import type { DeliveryReport, InboundSms } from './callbacks.ts';

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
  /** The gateways that the workshop has chosen, in the order in which they are tried; null: the installation's. */
  readonly route: readonly string[] | null;
  /** The workshop's own accounts at providers, by the gateway's name; absent: the installation's. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** For how long it may wait at the gateway and the carrier, in milliseconds; a day unless given. */
  readonly validForMs?: number;
}

/** What is known of an attempt when its gateway is asked about it. An empty body is one that is not kept any more. */
export type HandedOver = Pick<OutboundSms, 'to' | 'body'>;

export const usualValidityMs = 24 * 3_600_000;

/** Why a message was not sent: the words of `sms.reason` on the wire, in the inbox and in reports. */
export const smsReasons = [
  'optedOut',
  'refused',
  'temporarilyRefused',
  'invalidNumber',
  'gatewayUnavailable',
  'unknownOutcome',
  'countryNotAllowed',
  'premiumRate',
  'dailyCeiling',
] as const;
export type SmsReason = (typeof smsReasons)[number];

/** Which gateway of a list it was; absent where there is one alone. */
interface Named {
  readonly gateway?: string;
}

export interface Acceptance {
  readonly state: 'accepted';
  readonly gatewayId: string;
  /** The gateway's ids of the segments, where its reports name these and not our reference. */
  readonly segmentIds?: readonly string[];
}

export type SmsOutcome = Named &
  (
    | Acceptance
    /** Certainly not sent. `permanent` says that trying again is pointless. `detail` is for people. */
    | {
        readonly state: 'refused';
        readonly permanent: boolean;
        readonly reason: SmsReason;
        readonly detail: string;
        /** True when the refusal is about the gateway and not about the message: another one may take it. */
        readonly elsewhere?: boolean;
        /** True when the gateway was not asked at all: it has too much to do, or does not answer these days. */
        readonly notAsked?: boolean;
        /** How long the gateway wants to be left alone, in milliseconds; of one that was not asked: when it may be worth it. */
        readonly retryAfterMs?: number;
      }
    /** Handed over, but no answer: it may or may not arrive. */
    | {
        readonly state: 'unknown';
        readonly detail: string;
        /** What made it so, where that is one event for several messages: it is one failure of the gateway. */
        readonly incident?: string;
      }
  );

/** A request that says that it comes from a gateway. */
export interface CallbackRequest {
  /** Path and query, as they were received. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** How a gateway's own requests are read. Reading gives null for a request that can't be understood. */
export interface SmsCallbacks {
  /** True when the request comes from the gateway: by its signature, or by the token in its URL. Asked before the others. */
  isGenuine(request: CallbackRequest): boolean;
  /** Empty when it reports nothing about messages of ours. */
  reports(request: CallbackRequest): readonly DeliveryReport[] | null;
  inbound(request: CallbackRequest): readonly InboundSms[] | null;
  /** What a request that is recorded is answered with, status 200; absent: nothing, as text/plain. */
  readonly answer?: { readonly contentType: string; readonly body: string };
}

/** Where a gateway that keeps a connection delivers what it receives. Rejects when it could not be recorded: the carrier should repeat it. */
export interface SmsListener {
  report(gateway: string, report: DeliveryReport): Promise<void>;
  receive(gateway: string, sms: InboundSms): Promise<void>;
  /** The answer to the hand-over with our `reference` came when its outcome had become unknown. */
  accepted(gateway: string, reference: string, acceptance: Acceptance): Promise<void>;
  /**
   * A connection is there, or no longer is or could not be made: with why, for people. `use` is what it is for. Absent where
   * it is not needed.
   */
  connection?(gateway: string, isConnected: boolean, detail: string, use?: 'sending' | 'receiving'): void;
}

export interface SmsGateway {
  readonly name: string;
  /** Hands one message over. Resolves within `timeoutMs` of `sendSms`, by `signal`; may reject, which counts as unknown. */
  send(sms: OutboundSms, signal: AbortSignal): Promise<SmsOutcome>;
  /**
   * What became of the attempt with this reference: `accepted`, `notFound`, or `unknown` where it gives no answer now.
   * `gateway` names the one that had it, of a list, where that is known; `sms` is what was handed over, for gateways that do
   * not find it by our reference.
   */
  lookUp(
    reference: string,
    signal: AbortSignal,
    gateway?: string | null,
    sms?: HandedOver,
  ): Promise<SmsLookUp>;
  /**
   * Takes a number (E.164) off the provider's list of those who have opted out, of the workshop's own account where it is not
   * null; doing it twice does no harm. Rejects when that failed. Absent where the provider has no such call.
   */
  optIn?(phone: string, account: string | null, signal: AbortSignal): Promise<void>;
  /**
   * Fetches what came beside an inbound SMS, of at most so many bytes, from the URL that its callback named. Absent where
   * callbacks bring the bytes, or nothing.
   */
  fetchAttachment?(url: string, sizeAtMostBytes: number, signal: AbortSignal): Promise<Download>;
  /** What is left on the account. Rejects when that could not be read. Absent where the provider does not tell. */
  balance?(signal: AbortSignal): Promise<Balance>;
  /** Absent when it makes no requests of its own. */
  readonly callbacks?: SmsCallbacks;
  /** Connects what keeps a connection; returns at once, and keeps connecting until `close`. Absent where there is none. */
  start?(listener: SmsListener): void;
  /** Lets what is under way end; within five seconds. */
  close?(): Promise<void>;
  /** The gateways of a list; absent where there is one alone. */
  readonly members?: readonly SmsGateway[];
  /** Of a list: the names of those that a workshop without a choice of its own goes through. */
  readonly usual?: readonly string[];
  /** What it has to pass; absent where it may have any number of hand-overs at once. */
  readonly limiter?: GatewayLimiter;
}

export interface Balance {
  /** As the provider writes it, such as `12.50`. */
  readonly amount: string;
  /** Such as `AUD`; null where it names none. */
  readonly currency: string | null;
}

export type SmsLookUp =
  | (Named & { readonly state: 'accepted'; readonly gatewayId: string })
  | { readonly state: 'notFound' }
  /**
   * `permanent` says that it can't be asked about such an attempt at all, so that asking again is pointless; `notAsked` that
   * it is left alone for now, for `retryAfterMs`.
   */
  | {
      readonly state: 'unknown';
      readonly permanent?: boolean;
      readonly notAsked?: boolean;
      readonly retryAfterMs?: number;
    };

/** A gateway that has not answered after this time is left: the outcome is unknown. */
export const smsTimeoutMs = 10_000;
