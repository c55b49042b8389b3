/** The e-mail that tells a workshop of its customers' answers, and shows them. */
import type { OutboundEmail } from '#gateways/email/gateway.ts';
import { workshopFooter, workshopUnsubscribe } from '../email.ts';
import type { EmailContent } from '../email-content.ts';
import { htmlOf } from '../email-html.ts';
import { textOf } from '../email-text.ts';
import type { InboxDigest } from './store.ts';
import { bodyOf, detailsOf, summaryOf } from './text.ts';

interface DigestRecipient {
  /** Of the message. */
  readonly id: string;
  readonly recipient: string;
  /** The workshop's name. */
  readonly workshop: string;
}

/** `unsubscribe`: whom the workshop's people write to when they want no more; null: nobody is named. */
export function digestEmail(
  { id, recipient, workshop }: DigestRecipient,
  digest: InboxDigest,
  unsubscribe: string | null,
): OutboundEmail {
  const subject = summaryOf(digest);
  const content: EmailContent = {
    subject,
    preview: [...(digest.answers[0]?.body ?? '')].slice(0, 100).join(''),
    workshopName: workshop,
    body: bodyOf(digest, workshop),
    facts: [],
    quotes: detailsOf(digest),
    footer: workshopFooter(workshop, "its customers' answers", unsubscribe),
  };
  return {
    reference: id,
    to: recipient,
    unsubscribe: workshopUnsubscribe(workshop, unsubscribe),
    subject,
    text: textOf(content),
    html: htmlOf(content),
    calendar: null,
  };
}
