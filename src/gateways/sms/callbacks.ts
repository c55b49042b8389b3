/** What an SMS gateway tells us by itself, in one form for all of them. */

/** What became of an SMS that the gateway has accepted. */
export interface DeliveryReport {
  /** Our reference of the attempt; null when the gateway names a segment by its own id alone. */
  readonly reference: string | null;
  /** The segment it speaks of, where a gateway reports of each; absent when it speaks of the whole message. */
  readonly segment?: {
    /** The gateway's. */
    readonly id: string;
    /** How many the message has; null when the gateway does not say. */
    readonly of: number | null;
  };
  /** `accepted`: nothing final yet; that the gateway reports at all proves that it has accepted the SMS. */
  readonly state: 'accepted' | FinalReport;
  /** The gateway's own words or code; null when it gives none. */
  readonly detail: string | null;
  /** True when it did not arrive because the customer has told the provider to stop. */
  readonly optedOut?: boolean;
}

/** What an SMS, or a segment of it, has come to for good. */
export type FinalReport = 'delivered' | 'undelivered' | 'expired';

/** What a customer answered. */
export interface InboundSms {
  /** The gateway's id of this message: the same one again is the same message. */
  readonly gatewayId: string;
  /** As the gateway writes it; mostly E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Our reference of the attempt that it answers, where the gateway says so. */
  readonly inReplyTo?: string | null;
  /** What the gateway understood it as, where it looks for such words itself. */
  readonly optOut?: 'stop' | 'start' | null;
  /** What came beside the text, in its order; absent when nothing did. */
  readonly attachments?: readonly InboundAttachment[];
}

/** A picture or another file beside the text of an inbound SMS: with its bytes, or with the address to fetch them from. */
export type InboundAttachment = {
  /** As the gateway names it, such as `image/jpeg`. */
  readonly contentType: string;
} & ({ readonly base64: string } | { readonly url: string });
