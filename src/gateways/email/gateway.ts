/** The contract that every e-mail gateway fulfils. */

export interface OutboundEmail {
  /** Our reference; also the local part of the Message-ID, the same at each attempt. */
  readonly reference: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An iCalendar object with its method, sent as an alternative part and as `invite.ics`. */
  readonly calendar: { readonly method: 'REQUEST' | 'CANCEL'; readonly content: string } | null;
}

export type EmailOutcome =
  | { readonly state: 'accepted'; readonly gatewayId: string }
  /** `permanent` says that trying again is pointless (an SMTP 5xx to this recipient). */
  | {
      readonly state: 'refused';
      readonly permanent: boolean;
      readonly reason: EmailReason;
      readonly detail: string;
    };

export const emailReasons = ['refused', 'temporarilyRefused', 'gatewayUnavailable'] as const;
export type EmailReason = (typeof emailReasons)[number];

export interface EmailGateway {
  readonly name: string;
  /** Hands one e-mail over; bounded in time by the gateway's own time-outs. Never rejects. */
  send(email: OutboundEmail): Promise<EmailOutcome>;
  close(): Promise<void>;
}
