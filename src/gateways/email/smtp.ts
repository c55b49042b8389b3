/** E-mail over SMTP, through a pool of connections. */
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';
import type { SmtpSettings } from '#config/email.ts';
import type { Mailbox } from '#values/mailbox.ts';
import { dkimSigner } from './dkim.ts';
import type { EmailGateway } from './gateway.ts';
import { mailOf } from './message.ts';
import { inWords, outcomeOf } from './smtp-outcome.ts';

export interface SmtpOptions extends SmtpSettings {
  /** The sender. */
  readonly from: Mailbox;
  /** Connections of one process at most; 5 unless given. */
  readonly connections?: number;
}

/** Then a connection is replaced: servers put bounds to what one may carry. */
const mailsAConnection = 100;
/** Shorter than servers wait, so that it is we who end what is not used. */
const idleForMs = 30_000;

export interface SmtpLimits {
  /** From the name of the server to the end of STARTTLS. */
  readonly connectWithinMs: number;
  /** For one answer. Servers look through a mail before they take it, so this is long. */
  readonly answerWithinMs: number;
  /** For the whole of one send, waiting for a connection included: a server that drips answers holds no job for ever. */
  readonly sendWithinMs: number;
}

const usual: SmtpLimits = { connectWithinMs: 15_000, answerWithinMs: 45_000, sendWithinMs: 60_000 };

/** How far one e-mail has come. */
interface HandOver {
  isWhole: boolean;
}

type Mail = SendMailOptions & { readonly handOver: HandOver };

/**
 * The gateway for `SMTP_URL`. What finds its connection closed by the server before a byte of the message has gone is sent
 * over another one; whatever is lost later comes back as an outcome, and nothing is repeated here.
 */
export function smtpGateway(options: SmtpOptions, limits: SmtpLimits = usual): EmailGateway {
  const { host, port, tls, signIn, dkim, from, connections = 5 } = options;
  const { connectWithinMs, answerWithinMs, sendWithinMs } = limits;
  const transport = createTransport({
    pool: true,
    host,
    port,
    secure: tls === 'always',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'never',
    tls: { rejectUnauthorized: true },
    // Forced: without it, a server that does not offer a sign-in is sent the e-mail without one.
    ...(signIn && { auth: { user: signIn.user, pass: signIn.password }, forceAuth: true }),
    maxConnections: connections,
    maxMessages: mailsAConnection,
    // Each connection of the pool may have been dropped unnoticed; the next one is new.
    maxRequeues: connections,
    idleTimeout: idleForMs,
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    dnsTimeout: connectWithinMs,
    socketTimeout: answerWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The transport's own option `dkim` signs after every step of ours, and none of them would see the message leave.
  const signer = dkim && dkimSigner(dkim);
  transport.use('stream', (mail, done) => {
    const { handOver } = mail.data as Mail;
    mail.message.processFunc((unsigned) => {
      handOver.isWhole = false;
      const message = signer?.sign(unsigned) ?? unsigned;
      // Its last byte is on its way then, and the dot that ends it is not yet: without that, no server takes it.
      return message.once('end', () => {
        handOver.isWhole = true;
      });
    });
    done();
  });

  return {
    name: 'smtp',
    async send(email) {
      const handOver: HandOver = { isWhole: false };
      const signal = AbortSignal.timeout(sendWithinMs);
      try {
        const mail: Mail = { ...mailOf(email, from), signal, handOver };
        const sent = await transport.sendMail(mail);
        return { state: 'accepted', gatewayId: sent.messageId, answer: inWords(sent.response) };
      } catch (error) {
        return outcomeOf(error as NodemailerError, handOver.isWhole);
      }
    },
    async close() {
      transport.close();
    },
  };
}
