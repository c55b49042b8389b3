/** E-mail over SMTP, through a pool of connections. */
import { createTransport, type NodemailerError, type SendMailOptions } from 'nodemailer';
import type { SmtpSettings } from '#base/config/email.ts';
import { dkimSigner } from './dkim.ts';
import type { EmailGateway } from './gateway.ts';
import { mailOf } from './message.ts';
import type { Sender } from './sender.ts';
import { inWords, outcomeOf } from './smtp-outcome.ts';

export interface SmtpOptions extends SmtpSettings {
  /** The sender. */
  readonly from: Sender;
  /** The most connections of one process; 5 unless given. */
  readonly connections?: number;
}

/** A connection is replaced after this number of messages: servers bound how many one may carry. */
const mailsAConnection = 100;
/** Shorter than servers wait, so that we end idle connections first. */
const idleForMs = 30_000;

export interface SmtpLimits {
  /** From the look-up of the server's name to the end of STARTTLS. */
  readonly connectWithinMs: number;
  /** For one response. It is long because servers scan a mail before they accept it. */
  readonly responseWithinMs: number;
  /** For one whole send, with the wait for a connection: a server that drips its responses holds no job for ever. */
  readonly sendWithinMs: number;
}

const usual: SmtpLimits = { connectWithinMs: 15_000, responseWithinMs: 45_000, sendWithinMs: 60_000 };

/** How far one e-mail has come. */
interface HandOver {
  isWhole: boolean;
}

type Mail = SendMailOptions & { readonly handOver: HandOver };

/**
 * The gateway for `SMTP_URL`. When the server has closed a connection before a byte of the message was sent, the e-mail goes over
 * another one; a later loss is an outcome, and nothing is repeated here.
 */
export function smtpGateway(options: SmtpOptions, limits: SmtpLimits = usual): EmailGateway {
  const { host, port, name, tls, signIn, dkim, from, connections = 5 } = options;
  const { connectWithinMs, responseWithinMs, sendWithinMs } = limits;
  const transport = createTransport({
    pool: true,
    host,
    port,
    name,
    secure: tls === 'always',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'never',
    tls: { rejectUnauthorized: true },
    // Forced: otherwise an e-mail goes without a sign-in to a server that offers none.
    ...(signIn && { auth: { user: signIn.user, pass: signIn.password }, forceAuth: true }),
    maxConnections: connections,
    maxMessages: mailsAConnection,
    // Each connection of the pool may have been dropped unnoticed; the one after them is new.
    maxRequeues: connections,
    idleTimeout: idleForMs,
    connectionTimeout: connectWithinMs,
    greetingTimeout: connectWithinMs,
    dnsTimeout: connectWithinMs,
    socketTimeout: responseWithinMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // The transport's option `dkim` would sign after all steps of ours, and none of them would see the message leave.
  const signer = dkim && dkimSigner(dkim);
  transport.use('stream', (mail, done) => {
    const { handOver } = mail.data as Mail;
    mail.message.processFunc((unsigned) => {
      handOver.isWhole = false;
      const message = signer?.sign(unsigned) ?? unsigned;
      // The last byte of the text is on its way, but not the dot that ends it; without the dot no server accepts the message.
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
        return outcomeOf(error as NodemailerError, handOver.isWhole, email.envelopeSender ?? null);
      }
    },
    async close() {
      transport.close();
    },
  };
}
