/** The contract that every e-mail gateway fulfils. */
import type { GatewayLimiter } from '#gateways/limiter/limiter.ts';
import type { Mailbox } from '#values/mailbox.ts';

export interface OutboundEmail {
  /** Our reference; also the local part of the Message-ID, the same at each attempt. */
  readonly reference: string;
  readonly to: string;
  /** In whose name it goes out, shown before the installation's: `Carlton Motors via Pitlane`. */
  readonly onBehalfOf?: string | null;
  /** Whom an answer goes to; the sender unless it is given. */
  readonly replyTo?: Mailbox | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An iCalendar object with its method, sent as an alternative part and as `invite.ics`. */
  readonly calendar: { readonly method: 'REQUEST' | 'CANCEL'; readonly content: string } | null;
  /** How the recipient ends e-mails of this kind; not for those that answer what the recipient did. */
  readonly unsubscribe?: Unsubscribe | null;
}

/** RFC 2369 and 8058; the header names the URL first. */
export interface Unsubscribe {
  /** An address that somebody reads, and the subject that tells them what to end. */
  readonly mailto?: { readonly address: string; readonly subject: string };
  /** An https URL that a POST alone unsubscribes at, without a further question. */
  readonly url?: string;
}

export type EmailOutcome =
  | {
      readonly state: 'accepted';
      readonly gatewayId: string;
      /** The gateway's own words, for people. */
      readonly answer?: string;
    }
  /** `permanent` says that trying again is pointless (an SMTP 5xx to this recipient). */
  | {
      readonly state: 'refused';
      readonly permanent: boolean;
      readonly reason: EmailReason;
      readonly detail: string;
      /** True when the server was not asked at all: it has too much to do, or does not answer these days. */
      readonly notAsked?: boolean;
      /** Of one that was not asked: when it may be worth it, in milliseconds. */
      readonly retryAfterMs?: number;
    }
  /** Handed over whole, and no answer: it may go out. Sending it again has the same Message-ID. */
  | { readonly state: 'unknown'; readonly detail: string };

export const emailReasons = ['refused', 'temporarilyRefused', 'gatewayUnavailable'] as const;
export type EmailReason = (typeof emailReasons)[number];

export interface EmailGateway {
  readonly name: string;
  /** Hands one e-mail over; bounded in time by the gateway's own time-outs. Never rejects. */
  send(email: OutboundEmail): Promise<EmailOutcome>;
  close(): Promise<void>;
  /** What it has to pass; absent where it may have any number of hand-overs at once. */
  readonly limiter?: GatewayLimiter;
}
