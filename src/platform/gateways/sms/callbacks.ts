/** Delivery reports and inbound SMS in one form for all SMS gateways. */

/** A delivery report: the outcome of an SMS that the gateway accepted. */
export interface DeliveryReport {
  /** Our reference of the attempt; null when the gateway reports a segment by its own id only. */
  readonly reference: string | null;
  /**
   * The segment that the report is about, when the gateway reports each segment; absent when the report is about the whole
   * message.
   */
  readonly segment?: {
    /** The gateway's id of the segment. */
    readonly id: string;
    /** Its id in another form, where nothing tells in which of the two the gateway gave it at the acceptance. */
    readonly otherId?: string;
    /** How many segments the message has; null when the gateway does not say. */
    readonly of: number | null;
  };
  /** The parts of the hand-over, beside its text, that the gateway gives back: known also without an acceptance, and so an id. */
  readonly handedOver?: {
    /** The last 16 bits of our reference. */
    readonly userReference: number;
    /** E.164. */
    readonly to: string;
  };
  /** `accepted` is not final. Any report proves that the gateway accepted the SMS. */
  readonly state: 'accepted' | FinalReport;
  /** The gateway's text or code; null when it gives none. */
  readonly detail: string | null;
  /** True when the SMS was undelivered because the customer has opted out at the provider. */
  readonly optedOut?: boolean;
  /** True when it was undelivered because the provider has already got the same text for the same number. */
  readonly duplicate?: boolean;
}

/** The final state of an SMS or a segment. */
export type FinalReport = 'delivered' | 'undelivered' | 'expired';

/** An SMS from a customer. */
export interface InboundSms {
  /** The gateway's id of this message. A second callback with the same id is a repeat. */
  readonly gatewayId: string;
  /** The sender as the gateway writes it; mostly E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Our reference of the attempt that the customer answers, when the gateway gives it. */
  readonly inReplyTo?: string | null;
  /** The provider's own reading of the text, when it looks for opt-out words itself. */
  readonly optOut?: 'stop' | 'start' | null;
  /** The payload of a tapped button of RCS, beside the words on it. */
  readonly buttonPayload?: string;
  /** The attachments of the text, in their order; absent when there are none. */
  readonly attachments?: readonly InboundAttachment[];
}

/** A picture or another file beside the text of an inbound SMS: with its bytes, or with the address to fetch them from. */
export type InboundAttachment = {
  /** As the gateway names it, such as `image/jpeg`. */
  readonly contentType: string;
} & ({ readonly base64: string } | { readonly url: string });
