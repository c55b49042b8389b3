/**
 * The contract with the host, which is the program that loads this package: what the host gives, and the gateway that it gets. The host has
 * richer types of its own; the compiler holds them against these where it loads the package.
 */

/** Services and callbacks that the embedding program supplies. */
export interface Host {
  /** The current time of the machine. */
  readonly machineNow: () => Date;
  /** How long the carrier keeps trying to deliver a message that does not say it, in milliseconds. */
  readonly usualValidityMs: number;
  /** True when the SMS alphabet (GSM 03.38) has all characters of the text. */
  readonly isGsm7: (text: string) => boolean;
  /** Cuts a text into the parts of a long message, in GSM 7-bit or else UCS-2; one part for a short text. */
  readonly split: (text: string) => readonly string[];
  /** One septet an octet. Throws for a character that the SMS alphabet lacks. */
  readonly encodeGsm7: (text: string) => Buffer;
  /** Unreadable octets become U+FFFD. */
  readonly decode: (octets: Buffer, charset: Charset) => string;
}

/** `gsm7`, one septet an octet, or an encoding by its name in the Encoding Standard. */
export type Charset =
  | 'gsm7'
  | 'latin1'
  | 'utf-16be'
  | 'shift_jis'
  | 'iso-8859-5'
  | 'iso-8859-8'
  | 'iso-2022-jp'
  | 'euc-jp'
  | 'euc-kr';

/** A message to hand over. */
export interface Sms {
  /** The host's id of this attempt: a UUID, whose last 16 bits may go out as the user_message_reference. */
  readonly reference: string;
  /** E.164. */
  readonly to: string;
  /** The sender: a number or a name; null leaves it to the settings, and then to the carrier. */
  readonly from: string | null;
  readonly body: string;
  /** How long the carrier keeps trying to deliver it, in milliseconds. */
  readonly validForMs?: number;
}

export interface Acceptance {
  readonly state: 'accepted';
  /** The carrier's id of the first part, or our reference when the carrier gave none. */
  readonly gatewayId: string;
  /** The carrier's ids of all parts, which its receipts name. */
  readonly segmentIds?: readonly string[];
}

export type RefusalReason =
  | 'invalidNumber'
  | 'refused'
  | 'optedOut'
  | 'temporarilyRefused'
  | 'gatewayUnavailable';

/** Certainly not sent. */
export interface Refusal {
  readonly state: 'refused';
  /** True when a retry is pointless. */
  readonly permanent: boolean;
  readonly reason: RefusalReason;
  /** For people. */
  readonly detail: string;
  /** True when the refusal is about the carrier or the account: another gateway may accept the message. */
  readonly elsewhere?: boolean;
  /** True when nobody can tell whether it is about the message or the account. */
  readonly unclear?: boolean;
  /** True when nothing was handed over. */
  readonly notAsked?: boolean;
}

/** Handed over without a response: the message may or may not arrive. */
export interface Unknown {
  readonly state: 'unknown';
  readonly detail: string;
  /** The failure that several messages share, such as a lost connection. */
  readonly incident?: string;
}

export type Outcome = Acceptance | Refusal | Unknown;

/** A delivery receipt with a final state. */
export interface Report {
  /** Null: receipts name a part by the carrier's id. */
  readonly reference: null;
  readonly segment: {
    readonly id: string;
    /** The id in another form, where nothing tells which of the two the carrier gave when it accepted the part. */
    readonly otherId?: string;
    /** Null: receipts do not say how many parts there are. */
    readonly of: null;
  };
  /** The parts of the submission that the carrier gave back. */
  readonly handedOver?: {
    /** The last 16 bits of the attempt's reference. */
    readonly userReference: number;
    /** E.164. */
    readonly to: string;
  };
  readonly state: 'delivered' | 'undelivered' | 'expired';
  readonly detail: string;
}

/** A customer's message. */
export interface Inbound {
  /** An id that this package made: the same when the carrier repeats the message. */
  readonly gatewayId: string;
  /** The sender as the carrier writes it; mostly E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
}

/** A part of a customer's long message. */
export interface InboundPart {
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

/** Records what the carrier brings. Each rejects when it could not be recorded: the carrier is then asked to repeat it. */
export interface Listener {
  readonly report: (gateway: string, report: Report) => Promise<void>;
  readonly receive: (gateway: string, sms: Inbound) => Promise<void>;
  readonly receivePart: (gateway: string, part: InboundPart) => Promise<void>;
  /** The hand-over with our `reference` was accepted after its outcome had been given as unknown. */
  readonly accepted: (gateway: string, reference: string, acceptance: Acceptance) => Promise<void>;
  /** A connection was made, was lost, or could not be made: with the cause, for people. */
  readonly connection?: (
    gateway: string,
    isConnected: boolean,
    detail: string,
    use: 'sending' | 'receiving',
  ) => void;
}

/** The gateway that the embedding program gets. */
export interface Gateway {
  readonly name: 'smpp';
  /** Starts to connect, returns at once, and reconnects until `close`. A second call does nothing. */
  readonly start: (listener: Listener) => void;
  /** Hands one message over; never rejects because of the carrier. When `signal` aborts, what has no response yet is unknown. */
  readonly send: (sms: Sms, signal: AbortSignal) => Promise<Outcome>;
  /** Always unknown: query_sm needs the carrier's id, and an attempt with an unknown outcome never got one. */
  readonly lookUp: () => Promise<{ readonly state: 'unknown'; readonly permanent: true }>;
  /** Lets hand-overs in flight end, within five seconds, and unbinds. */
  readonly close: () => Promise<void>;
}
