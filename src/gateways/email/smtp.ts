/** E-mail over SMTP, through a pool of connections. */
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';
import type { EmailGateway, EmailOutcome, OutboundEmail } from './gateway.ts';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; nodemailer's options may follow as a query (`?requireTLS=true`). */
  readonly url: string;
  /** The sender, such as `Pitlane <noreply@example.com>`. */
  readonly from: string;
}

/** For the whole of one send, waiting for a connection included: a server that drips answers holds no job for ever. */
const sendTimeoutMs = 60_000;

function domainOf(from: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

function mailOf(email: OutboundEmail, from: string): SendMailOptions {
  return {
    from,
    // As an object, the address is never read as a list of addresses.
    to: { name: '', address: email.to },
    subject: email.subject,
    text: email.text,
    html: email.html,
    signal: AbortSignal.timeout(sendTimeoutMs),
    messageId: `<${email.reference}@${domainOf(from)}>`,
    ...(email.calendar && {
      icalEvent: { method: email.calendar.method, filename: 'invite.ics', content: email.calendar.content },
    }),
  };
}

/** Statuses by which a server says that it wants another sign-in: the operator's affair, whatever the message. */
const signInStatuses = [530, 534, 535, 538];

/** What the server's answer to this message, or the want of one, means. */
function outcomeOf(error: NodemailerError): EmailOutcome {
  const status = error.responseCode ?? 0;
  const detail = (error.response ?? error.message).replace(/\s+/g, ' ').slice(0, 500);
  const isAboutMessage =
    (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
    // A refused sender is a setting to put right, not a fault of this message.
    !(error.command === 'MAIL FROM' && status > 0) &&
    !signInStatuses.includes(status);
  if (!isAboutMessage) return { state: 'refused', permanent: false, reason: 'gatewayUnavailable', detail };
  // Status 0: not even sent, as SMTP can't carry this address or this size.
  const permanent = status === 0 || (status >= 500 && status !== 503);
  return { state: 'refused', permanent, reason: permanent ? 'refused' : 'temporarilyRefused', detail };
}

/** The gateway for `SMTP_URL`. TLS as the URL says: `smtps`, else STARTTLS where offered (`?requireTLS=true`: always). */
export function smtpGateway({ url, from }: SmtpOptions): EmailGateway {
  const transport = createTransport({
    pool: true,
    url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    dnsTimeout: 10_000,
    socketTimeout: 20_000,
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    name: 'smtp',
    async send(email) {
      try {
        const sent = await transport.sendMail(mailOf(email, from));
        return { state: 'accepted', gatewayId: sent.messageId };
      } catch (error) {
        return outcomeOf(error as NodemailerError);
      }
    },
    async close() {
      transport.close();
    },
  };
}
