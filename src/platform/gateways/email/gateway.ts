/** The contract that every e-mail gateway fulfils. */

import type { Mailbox } from '#base/values/mailbox.ts';
import type { GatewayLimiter } from '#platform/gateways/limiter/limiter.ts';

export interface OutboundEmail {
  /** Our reference; also the local part of the Message-ID, the same for every attempt. */
  readonly reference: string;
  readonly to: string;
  /** The envelope's sender, to which bounces go; the sender of the installation unless it is given. */
  readonly envelopeSender?: string | null;
  /** The name that is shown before the installation's: `Carlton Motors via Pitlane`. */
  readonly onBehalfOf?: string | null;
  /** The Reply-To address; the sender unless it is given. */
  readonly replyTo?: Mailbox | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An iCalendar object with its method, sent as an alternative part and as `invite.ics`. */
  readonly calendar: { readonly method: 'REQUEST' | 'CANCEL'; readonly content: string } | null;
  /** A picture that goes along and that the HTML shows; absent or null: none. */
  readonly logo?: InlinePicture | null;
  /** How the recipient unsubscribes from e-mails of this kind; absent for a response to the recipient's own action. */
  readonly unsubscribe?: Unsubscribe | null;
}

/** A part of the e-mail that its HTML names as `cid:` and the Content-ID (RFC 2392). */
export interface InlinePicture {
  readonly cid: string;
  readonly kind: 'png' | 'jpeg';
  readonly content: Buffer;
  /** Where the service itself shows it, below its address. */
  readonly path: string;
}

/** List-Unsubscribe of RFC 2369 and 8058; the header names the URL first. */
export interface Unsubscribe {
  /** An address that somebody reads, and the subject that says what to end. */
  readonly mailto?: { readonly address: string; readonly subject: string };
  /** An https URL that unsubscribes on a single POST. */
  readonly url?: string;
}

export type EmailOutcome =
  | {
      readonly state: 'accepted';
      readonly gatewayId: string;
      /** The gateway's text, for people. */
      readonly answer?: string;
    }
  /** `permanent`: a retry is pointless (an SMTP 5xx to this recipient). `invalidAddress`: there is no such mailbox. */
  | {
      readonly state: 'refused';
      readonly permanent: boolean;
      readonly reason: EmailReason;
      readonly detail: string;
      /** True when the server was not called at all. */
      readonly notAsked?: boolean;
      /** When it was not called: when a retry is worthwhile, in milliseconds. */
      readonly retryAfterMs?: number;
    }
  /** Handed over whole without a response: it may go out. A retry has the same Message-ID. */
  | { readonly state: 'unknown'; readonly detail: string };

export const emailReasons = [
  'refused',
  'invalidAddress',
  'temporarilyRefused',
  'gatewayUnavailable',
] as const;
export type EmailReason = (typeof emailReasons)[number];

export interface EmailGateway {
  readonly name: string;
  /** Hands one e-mail over, within the gateway's own time-outs. Never rejects. */
  send(email: OutboundEmail): Promise<EmailOutcome>;
  close(): Promise<void>;
  /** Gives the permits of its hand-overs; absent when their number is unbounded. */
  readonly limiter?: GatewayLimiter;
}
