/** The outcome of a hand-over by SMTP, with the server's text when there is one. */

import type { NodemailerError } from 'nodemailer';
import { ownValue } from '#base/values/own-value.ts';
import type { EmailOutcome } from './gateway.ts';
import { aboutOf, withoutAddresses } from './smtp-reply.ts';

const detailAtMost = 500;

/** The text on one line, bounded, without e-mail addresses: it is stored longer than personal data may be. */
export function inWords(text: string): string {
  const line = withoutAddresses(text.slice(0, 5_000).replace(/[\s\p{Cc}]+/gu, ' ')).trim();
  return [...line].slice(0, detailAtMost).join('');
}

/** Statuses by which a server asks for another sign-in: a wrong setting, whatever the message. */
const signInStatuses = [530, 534, 535, 538];

const problems: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server does not take the user and password (SMTP_URL, SMTP_PASSWORD)',
  ETLS: 'There is no secure connection to the mail server',
  EDNS: "The mail server's name has no address",
  ESOCKET: "The mail server can't be reached",
  ECONNECTION: "The mail server can't be reached",
  ETIMEDOUT: 'The mail server does not answer in time',
  EABORT: 'The mail server did not take the e-mail in time',
};

const refusesSender = 'The mail server takes no e-mail from PITLANE_MAIL_FROM';
const refusesBounces =
  'The mail server takes no e-mail whose bounces go to PITLANE_INBOUND_MAIL_DOMAIN (allow that domain there, or set PITLANE_BOUNCE_ADDRESSES=off)';
const refusesUs = 'The mail server refuses e-mails of this installation, whatever they are';

/** Names the setting that the operator has to correct, before the server's text; empty when that text says it all. */
function problemOf(
  { code = '', originalCode = '', command, responseCode: status = 0 }: NodemailerError,
  envelopeSender: string | null,
): string {
  if (status === 530) return 'The mail server wants a sign-in, or TLS before it (SMTP_URL, SMTP_TLS)';
  if (signInStatuses.includes(status)) return problems['EAUTH'] ?? '';
  if (command === 'MAIL FROM' && status >= 500) {
    return envelopeSender === null ? refusesSender : refusesBounces;
  }
  // Node gives faults of a certificate or the handshake other codes than faults of a connection.
  const isTls = code === 'ESOCKET' && (originalCode.includes('_') || originalCode === 'EPROTO');
  return ownValue(problems, isTls ? 'ETLS' : code) ?? '';
}

/** The sender is refused after the whole e-mail by some (Amazon SES, Microsoft). */
function refusalOf(answer: string, envelopeSender: string | null): string {
  const isOfSender = /\b(?:sender|not verified|send as|sendasdenied)\b/i.test(answer);
  return isOfSender && envelopeSender !== null ? refusesBounces : refusesUs;
}

/**
 * `isHandedOver`: the whole message had gone to the server, so without a response the server may have accepted it. `envelopeSender`: the
 * e-mail's own, if it has one.
 */
export function outcomeOf(
  error: NodemailerError,
  isHandedOver: boolean,
  envelopeSender: string | null,
): EmailOutcome {
  const { code = '', responseCode: status = 0, response } = error;
  // OpenSSL's message is for its developers; its reason is readable.
  const { reason } = error as { readonly reason?: unknown };
  const answer = inWords(response ?? (typeof reason === 'string' ? reason : error.message));
  if (isHandedOver && (status < 400 || status > 599)) {
    return { state: 'unknown', detail: `The mail server had the whole e-mail and did not answer: ${answer}` };
  }
  const isAboutMessage = (code === 'EENVELOPE' || code === 'EMESSAGE') && !signInStatuses.includes(status);
  // A refused sender is a wrong setting, not a fault of this message; a message that is too large is.
  const isAboutSender = error.command === 'MAIL FROM' && status >= 500 && status !== 552;
  const isOurs = !isAboutMessage || isAboutSender || status === 421;
  const about = status >= 400 ? aboutOf({ status, text: answer }) : 'message';
  if (isOurs || about === 'gateway') {
    const problem = isOurs ? problemOf(error, envelopeSender) : refusalOf(answer, envelopeSender);
    const detail = [problem, answer].filter(Boolean).join(': ');
    return { state: 'refused', permanent: false, reason: 'gatewayUnavailable', detail };
  }
  // Status 0: not sent, since SMTP cannot carry this address or this size. 503: a fault of the dialogue, not of the message.
  const permanent = status === 0 || (status >= 500 && status !== 503);
  return {
    state: 'refused',
    permanent,
    reason: permanent ? (about === 'address' ? 'invalidAddress' : 'refused') : 'temporarilyRefused',
    detail: answer,
  };
}
