/** Shared by all e-mails of the product. */

import { isolated } from '#base/values/bidi.ts';
import { shorten } from '#base/values/shorten.ts';
import type { InlinePicture, OutboundEmail, Unsubscribe } from '#platform/gateways/email/gateway.ts';
import type { CarriedLogo } from '#product/workshops/logo/store.ts';
import type { EmailContent } from './email-content.ts';
import { htmlOf } from './email-html.ts';
import { logoCid } from './email-logo.ts';
import { textOf } from './email-text.ts';

type Envelope = Omit<OutboundEmail, 'subject' | 'text' | 'html' | 'calendar' | 'logo'>;

/** An e-mail of this content: text and HTML from the same values. */
export function outbound(
  envelope: Envelope,
  content: EmailContent,
  calendar: OutboundEmail['calendar'] = null,
): OutboundEmail {
  const { subject, logo = null } = content;
  return {
    ...{ ...envelope, subject, text: textOf(content), html: htmlOf(content), calendar },
    ...(logo !== null && { logo: carried(logo) }),
  };
}

function carried({ digest, kind, content, path }: CarriedLogo): InlinePicture {
  return { cid: logoCid({ digest }), kind, content: Buffer.from(content, 'base64'), path };
}

/**
 * E-mails to a workshop are a subscription, so they have an unsubscribe address; null: unknown. E-mails to customers follow from
 * their own actions and are no subscription.
 */
export function workshopUnsubscribe(workshopName: string, address: string | null): Unsubscribe | null {
  if (address === null) return null;
  // A header line has at most 998 bytes, and each character may take twelve.
  return { mailto: { address, subject: `Unsubscribe from ${shorten(workshopName, 50)}` } };
}

export function workshopFooter(workshopName: string, about: string, unsubscribe: string | null): string {
  const end = unsubscribe === null ? '' : ` To end that, write to ${unsubscribe}.`;
  return `${isolated(workshopName)} has e-mails about ${about} sent to this address.${end}`;
}
