/** The e-mail of an inbox digest: it quotes the customers' answers, and says how to reply. */

import { withBrokenLinks } from '#base/values/callers-links.ts';
import { nameWritten } from '#base/values/phone.ts';
import { shorten } from '#base/values/shorten.ts';
import type { OutboundEmail } from '#platform/gateways/email/gateway.ts';
import { replyLine } from '#product/messaging/inbox/mail/sent-mail.ts';
import { outbound, workshopFooter, workshopUnsubscribe } from '../outbound.ts';
import type { DigestWorkshop, InboxDigest } from './store.ts';
import { bodyOf, detailsOf, howToReply, nameShownBy, phonesOf, summaryOf } from './text.ts';

interface DigestRecipient {
  /** The message's id. */
  readonly id: string;
  readonly recipient: string;
  readonly workshop: DigestWorkshop;
}

export interface DigestAddresses {
  /** The unsubscribe address; null: none. */
  readonly unsubscribe: string | null;
  /** The address at which e-mails become replies in a conversation; null: none. */
  readonly replyTo: (conversationId: string) => string | null;
}

/**
 * If all answers are one person's, a reply to the e-mail is a reply to them; otherwise each person's answers have an address below
 * them.
 */
export function digestEmail(
  { id, recipient, workshop }: DigestRecipient,
  digest: InboxDigest,
  { unsubscribe, replyTo }: DigestAddresses,
): OutboundEmail {
  const [first] = digest.answers;
  const firstAddress = first === undefined ? null : replyTo(first.conversationId);
  const address = digest.people > 1 ? null : firstAddress;
  return outbound(
    {
      reference: id,
      to: recipient,
      ...(address !== null && {
        replyTo: {
          name: shorten(nameShownBy('email', nameWritten(first?.name ?? '', workshop.country)), 60),
          address,
        },
      }),
      unsubscribe: workshopUnsubscribe(workshop.name, unsubscribe),
    },
    {
      subject: summaryOf(digest, workshop, 'email'),
      preview: [...withBrokenLinks(first?.body ?? '')].slice(0, 100).join(''),
      workshopName: workshop.name,
      colour: workshop.colour,
      // A reply is sent to one customer: this line cuts off the quoted answers of the others.
      ...(firstAddress !== null && { topLine: replyLine }),
      body: bodyOf(digest, workshop),
      facts: [],
      phones: phonesOf(digest, workshop),
      quotes: detailsOf(digest, workshop, digest.people > 1 ? replyTo : () => null),
      closing: howToReply(digest, firstAddress !== null),
      footer: workshopFooter(workshop.name, "its customers' answers", unsubscribe),
    },
  );
}
