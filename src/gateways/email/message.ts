/** An e-mail in the form that the library makes the message of. Whatever stands in a value, it becomes no header of its own. */
import type { SendMailOptions } from 'nodemailer';
import { domainOf, type Mailbox } from '#values/mailbox.ts';
import type { OutboundEmail, Unsubscribe } from './gateway.ts';
import { senderOf } from './sender.ts';

type Headers = Exclude<SendMailOptions['headers'], undefined>;

/** The same at each attempt, so that a mailbox can tell a repeat. */
export function messageIdOf({ reference }: OutboundEmail, from: Mailbox): string {
  return `<${reference}@${domainOf(from)}>`;
}

export function mailOf(email: OutboundEmail, from: Mailbox): SendMailOptions {
  return {
    from: senderOf(email, from),
    // As an object, an address is never read as a list of addresses.
    to: { name: '', address: email.to },
    ...(email.replyTo && { replyTo: email.replyTo }),
    subject: email.subject,
    text: lines(email.text),
    html: lines(email.html),
    messageId: messageIdOf(email, from),
    headers: {
      // RFC 3834: out-of-office notes and the like don't answer. The second is Exchange's word for it.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      ...(email.unsubscribe && unsubscribeHeaders(email.unsubscribe)),
    },
    ...(email.calendar && {
      icalEvent: { method: email.calendar.method, filename: 'invite.ics', content: email.calendar.content },
    }),
  };
}

/** A bare CR would become a line end on the way, after DKIM has signed it as it was (nodemailer #1267). */
function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** RFC 2369, 3.2, and for an https URL the word of RFC 8058 that a POST is enough. */
function unsubscribeHeaders({ mailto, url }: Unsubscribe): Headers {
  const ways: string[] = [];
  if (url !== undefined) ways.push(new URL(url).href);
  if (mailto !== undefined) {
    ways.push(`mailto:${encodeURI(mailto.address)}?subject=${encodeURIComponent(mailto.subject)}`);
  }
  if (ways.length === 0) return {};
  const value = ways.map((way) => `<${way.replace(/[<>\s]/g, encodeURIComponent)}>`).join(',\r\n ');
  return {
    // Folded already, between the two: a URL in two lines is no URL to some.
    'List-Unsubscribe': { prepared: true, foldLines: false, value },
    ...(url?.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}
