/** Builds an e-mail in the mail library's form. No value can add a header. */
import type { SendMailOptions } from 'nodemailer';
import { domainOf, type Mailbox } from '#base/values/mailbox.ts';
import type { InlinePicture, OutboundEmail, Unsubscribe } from './gateway.ts';
import { type Sender, senderOf } from './sender.ts';

type Headers = Exclude<SendMailOptions['headers'], undefined>;

/** The same for every attempt, so that a mailbox recognizes a repeat. */
export function messageIdOf({ reference }: OutboundEmail, from: Mailbox): string {
  return `<${reference}@${domainOf(from)}>`;
}

export function mailOf(email: OutboundEmail, from: Sender): SendMailOptions {
  return {
    from: senderOf(email, from),
    // Given as an object, an address is never read as a list of addresses.
    to: { name: '', address: email.to },
    ...(email.envelopeSender && {
      envelope: { from: email.envelopeSender, to: { name: '', address: email.to } },
    }),
    ...(email.replyTo && { replyTo: email.replyTo }),
    subject: email.subject,
    text: lines(email.text),
    html: lines(email.html),
    messageId: messageIdOf(email, from),
    headers: {
      // RFC 3834: asks auto-responders not to reply. The second header is Exchange's.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      ...(email.unsubscribe && unsubscribeHeaders(email.unsubscribe)),
    },
    ...(email.logo && { attachments: [inlinePart(email.logo)] }),
    ...(email.calendar && {
      icalEvent: { method: email.calendar.method, filename: 'invite.ics', content: email.calendar.content },
    }),
  };
}

/** Beside the HTML, in a `multipart/related`: mail programs show it in its place and not among the attachments. */
function inlinePart({ cid, kind, content }: InlinePicture) {
  const contentType = `image/${kind}`;
  return { cid, content, contentType, filename: `logo.${kind}`, contentDisposition: 'inline' } as const;
}

/** A bare CR would become a line end on the way, after DKIM has signed the text with it (nodemailer #1267). */
function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** List-Unsubscribe (RFC 2369, 3.2); for an https URL also the header of RFC 8058 for one-click POST. */
function unsubscribeHeaders({ mailto, url }: Unsubscribe): Headers {
  const ways: string[] = [];
  if (url !== undefined) ways.push(new URL(url).href);
  if (mailto !== undefined) {
    ways.push(`mailto:${encodeURI(mailto.address)}?subject=${encodeURIComponent(mailto.subject)}`);
  }
  if (ways.length === 0) return {};
  const value = ways.map((way) => `<${way.replace(/[<>\s]/g, encodeURIComponent)}>`).join(',\r\n ');
  return {
    // Folded between the two values, since some mailboxes do not read a URL that is split over two lines.
    'List-Unsubscribe': { prepared: true, foldLines: false, value },
    ...(url?.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}
