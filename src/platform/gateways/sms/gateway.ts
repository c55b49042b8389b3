/** The contract that every SMS gateway fulfils. Gateways know no database and no domain. */
import type { Download } from '#platform/gateways/download.ts';
import type { GatewayLimiter } from '#platform/gateways/limiter/limiter.ts';
import type { DeliveryReport, FinalReport, InboundSms } from './callbacks.ts';
import type { Charset } from './charset.ts';

export interface OutboundSms {
  /** Our reference of this attempt: look-ups search for it, and delivery reports carry it. */
  readonly reference: string;
  /** The id of the message that this is an attempt of. */
  readonly messageId: string;
  /** E.164. */
  readonly to: string;
  /** The SMS sender: a number or a name; null leaves it to the gateway. */
  readonly from: string | null;
  readonly body: string;
  /** The route: the gateways that the workshop has chosen, in the order in which they are tried; null: the installation's. */
  readonly route: readonly string[] | null;
  /** The workshop's own accounts at providers, by gateway name; absent: the installation's accounts. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** How long the gateway and the carrier may keep trying, in milliseconds; a day unless given. */
  readonly validForMs?: number;
  /** Others go first where permits are short: of campaigns. */
  readonly yields?: boolean;
}

/** An attempt, as a look-up knows it. The body is empty when it is no longer stored. */
export type HandedOver = Pick<OutboundSms, 'to' | 'body'>;

export const usualValidityMs = 24 * 3_600_000;

/** Why a message was not sent: the values of `sms.reason` on the wire, in the inbox and in reports. */
export const smsReasons = [
  'optedOut',
  'mayHaveOptedOut',
  'refused',
  'temporarilyRefused',
  'invalidNumber',
  'gatewayUnavailable',
  'unknownOutcome',
  'countryNotAllowed',
  'premiumRate',
  'dailyCeiling',
  'noWayOut',
] as const;
export type SmsReason = (typeof smsReasons)[number];

/** Which gateway of a route it was; absent when there is only one gateway. */
interface Named {
  readonly gateway?: string;
}

export interface Acceptance {
  readonly state: 'accepted';
  readonly gatewayId: string;
  /** The gateway's ids of the segments, when its reports name them instead of our reference. */
  readonly segmentIds?: readonly string[];
  /** Its outcome since: a look-up may find a message whose report was lost. */
  readonly final?: { readonly state: FinalReport; readonly detail: string | null };
}

export type SmsOutcome = Named &
  (
    | Acceptance
    /** Certainly not sent. `permanent`: a retry is pointless. `detail` is for people. */
    | {
        readonly state: 'refused';
        readonly permanent: boolean;
        readonly reason: SmsReason;
        readonly detail: string;
        /** True when the refusal is about the gateway, not the message: another gateway may accept it. */
        readonly elsewhere?: boolean;
        /** True when nobody can tell which of the two it is about: the circuit breaker counts it neither way. */
        readonly unclear?: boolean;
        /** True when the gateway was not called at all. */
        readonly notAsked?: boolean;
        /** The pause that the gateway asks for, in milliseconds; when it was not called: when a retry is worthwhile. */
        readonly retryAfterMs?: number;
      }
    /** Handed over without a response: the message may or may not arrive. */
    | {
        readonly state: 'unknown';
        readonly detail: string;
        /** The failure that several messages share, such as a lost connection: the circuit breaker counts it once. */
        readonly incident?: string;
      }
  );

/** A request that claims to come from a gateway. */
export interface CallbackRequest {
  /** Path and query, as received. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** The parts of a callback that are there before the body is read. */
export type CallbackHead = Omit<CallbackRequest, 'body'>;

/** The sender of a request, by its head alone: a stranger; the gateway, whose address has the token; or its body will tell. */
export type CallbackSender = 'stranger' | 'gateway' | 'unclear';

/** How a gateway's callbacks are read. A reader returns null for a request that it cannot understand. */
export interface SmsCallbacks {
  /** Called before the body is read: a stranger's never is. */
  senderOf(head: CallbackHead): CallbackSender;
  /** The largest body that the gateway sends; absent: 64 KiB. */
  readonly bodyAtMostBytes?: number;
  /** True when the request comes from the gateway, by its signature or by the token in its URL. Called before the readers. */
  isGenuine(request: CallbackRequest): boolean;
  /** Empty when the request reports on no message of ours. */
  reports(request: CallbackRequest): readonly DeliveryReport[] | null;
  inbound(request: CallbackRequest): readonly InboundSms[] | null;
  /** The body of the 200 response to a recorded request; absent: empty, as text/plain. */
  readonly answer?: { readonly contentType: string; readonly body: string };
}

/** A part of a customer's long SMS. */
export interface InboundPart {
  /** The sender as the gateway writes it; mostly E.164. */
  readonly from: string;
  readonly to: string;
  /** The same number in all parts of one message; it is used again for a later one. */
  readonly series: number;
  readonly total: number;
  /** From 1. */
  readonly number: number;
  /** May begin or end in the middle of a character. */
  readonly octets: Buffer;
  readonly charset: Charset;
}

/**
 * Receives what a gateway with a permanent connection brings. Rejects when it could not be recorded: the carrier should repeat
 * it.
 */
export interface SmsListener {
  report(gateway: string, report: DeliveryReport): Promise<void>;
  receive(gateway: string, sms: InboundSms): Promise<void>;
  /** Resolves when the part is stored. Other processes may receive the others. */
  receivePart(gateway: string, part: InboundPart): Promise<void>;
  /** The hand-over with our `reference` was accepted after its outcome had been recorded as unknown. */
  accepted(gateway: string, reference: string, acceptance: Acceptance): Promise<void>;
  /**
   * The connection was made, was lost, or could not be made: with the cause, for people. `use` is what the connection is for.
   * Absent when nobody needs to know.
   */
  connection?(gateway: string, isConnected: boolean, detail: string, use?: 'sending' | 'receiving'): void;
}

export interface OptInAt {
  /** The workshop's own account; null: the installation's. */
  readonly account: string | null;
  /** The workshop's sender; null leaves it to the gateway. */
  readonly from: string | null;
  /** A UUID, the same for every attempt. */
  readonly reference: string;
  /** When the local day began on which the customer agreed, which is never in the future; null: unknown. */
  readonly agreedAt: Date | null;
}

export type OptInOutcome =
  | { readonly state: 'told' }
  /** It won't be done, however often it is asked. `detail` is a sentence for people. */
  | { readonly state: 'refused'; readonly detail: string };

export interface SmsGateway {
  readonly name: string;
  /** Hands one message over. `signal` aborts it after `timeoutMs` of `sendSms`. A rejection counts as an unknown outcome. */
  send(sms: OutboundSms, signal: AbortSignal): Promise<SmsOutcome>;
  /**
   * Looks up the attempt with this reference: `accepted`, `notFound`, or `unknown` when the gateway cannot tell now. `gateway`
   * names the gateway of a route that had it, when that is known; `sms` is what was handed over, for gateways that cannot search
   * by our reference.
   */
  lookUp(
    reference: string,
    signal: AbortSignal,
    gateway?: string | null,
    sms?: HandedOver,
  ): Promise<SmsLookUp>;
  /**
   * Takes a number (E.164) off the provider's list of those who have opted out; doing it twice does no harm. Rejects when that
   * failed, and may succeed later. Absent where the provider has no such call, or it is not set up.
   */
  optIn?(phone: string, at: OptInAt, signal: AbortSignal): Promise<OptInOutcome>;
  /** True when the provider itself answers HELP and INFO, and ends an opt-out on START. */
  readonly hearsWords?: true;
  /**
   * Fetches what came beside an inbound SMS, of at most that number of bytes, from the URL that its callback named. Absent where
   * callbacks bring the bytes, or nothing.
   */
  fetchAttachment?(url: string, sizeAtMostBytes: number, signal: AbortSignal): Promise<Download>;
  /** Reads the balance of the account. Rejects when it could not be read. Absent where the provider does not tell. */
  balance?(signal: AbortSignal): Promise<Balance>;
  /** Absent when the gateway makes no callbacks. */
  readonly callbacks?: SmsCallbacks;
  /** Starts to connect, returns at once, and reconnects until `close`. Absent when the gateway keeps no connection. */
  start?(listener: SmsListener): void;
  /** Lets hand-overs in flight end, within five seconds. */
  close?(): Promise<void>;
  /** The gateways of a route; absent for a single gateway. */
  readonly members?: readonly SmsGateway[];
  /** The names of the gateways for workshops that have not chosen any; absent for a single gateway. */
  readonly usual?: readonly string[];
  /** Gives the permits of its hand-overs; absent when their number is unbounded. */
  readonly limiter?: GatewayLimiter;
}

export interface Balance {
  /** As the provider writes it, such as `12.50`. */
  readonly amount: string;
  /** Such as `AUD`; null when the provider names none. */
  readonly currency: string | null;
}

export type SmsLookUp =
  | (Named & Acceptance)
  | { readonly state: 'notFound' }
  /**
   * `permanent`: the gateway cannot look up such an attempt at all, so asking again is pointless. `notAsked`: it was not
   * called, and may be called after `retryAfterMs`.
   */
  | {
      readonly state: 'unknown';
      readonly permanent?: boolean;
      readonly notAsked?: boolean;
      readonly retryAfterMs?: number;
    };

/** The time-out of a hand-over: afterwards its outcome is unknown. */
export const smsTimeoutMs = 10_000;
