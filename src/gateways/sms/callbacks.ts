/** What an SMS gateway tells us by itself, in one form for all of them. */

/** What became of an SMS that the gateway had accepted. */
export interface DeliveryReport {
  /** Our reference of the attempt. */
  readonly reference: string;
  readonly state: 'delivered' | 'undelivered' | 'expired';
  /** The gateway's own words or code; null when it gives none. */
  readonly detail: string | null;
}

/** What a customer answered. */
export interface InboundSms {
  /** The gateway's id of this message: the same one again is the same message. */
  readonly gatewayId: string;
  /** As the gateway writes it; mostly E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
}
