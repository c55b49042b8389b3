/** The e-mail of an inbox digest: it quotes the customers' answers. */
import type { OutboundEmail } from '#gateways/email/gateway.ts';
import { workshopFooter, workshopUnsubscribe } from '../email.ts';
import type { EmailContent } from '../email-content.ts';
import { htmlOf } from '../email-html.ts';
import { textOf } from '../email-text.ts';
import type { InboxDigest } from './store.ts';
import { bodyOf, detailsOf, summaryOf } from './text.ts';

interface DigestRecipient {
  /** The message's id. */
  readonly id: string;
  readonly recipient: string;
  /** The workshop's name. */
  readonly workshop: string;
}

/** `unsubscribe` is the unsubscribe address; null: the e-mail names none. */
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
