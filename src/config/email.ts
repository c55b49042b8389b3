/** Settings of e-mail: the server, the sender, and how notices are ended. */
import { isEmail } from '#values/email.ts';
import { domainOf, type Mailbox, parseMailbox } from '#values/mailbox.ts';
import { type DkimSettings, readDkim } from './dkim.ts';
import { ConfigError, type Environment, oneOf, secret, url } from './environment.ts';
import { isLoopback } from './loopback.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `always`: from the first byte (`smtps`). Else by STARTTLS: `required`, when `offered`, or `never`. */
  readonly tls: 'always' | 'required' | 'offered' | 'never';
  /** Null: no sign-in. */
  readonly signIn: { readonly user: string; readonly password: string } | null;
  /** Null: e-mails are not signed. */
  readonly dkim: DkimSettings | null;
}

export interface EmailConfig {
  /** Null means that the sandbox keeps e-mails. */
  readonly smtp: SmtpSettings | null;
  /** The sender of every e-mail; in the sandbox it may be nobody's. */
  readonly mailFrom: Mailbox;
  /** Whom recipients of a workshop's notices write to when they want no more; null: nobody is named. */
  readonly mailUnsubscribe: string | null;
}

/** Throws ConfigError. The settings of a server that is not there may be half there: they are not looked at. */
export function readEmailConfig(env: Environment): EmailConfig {
  const from = mailFrom(env);
  return { smtp: smtp(env, from), mailFrom: from, mailUnsubscribe: mailUnsubscribe(env) };
}

function smtp(env: Environment, from: Mailbox): SmtpSettings | null {
  const text = url(env, 'SMTP_URL', ['smtp:', 'smtps:']);
  if (text === null) return null;
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text);
  if (hostname === '' || !['', '/'].includes(pathname) || search + hash !== '') {
    throw new ConfigError(
      'SMTP_URL must be a server and nothing more, such as smtp://user:password@mail.example.com:587, with / ? # @ % of a password percent-encoded',
    );
  }
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const isTls = protocol === 'smtps:';
  const who = signIn(env, username, password);
  // Not set, or a domain that nobody can have (RFC 6761).
  if (domainOf(from).endsWith('.invalid')) {
    throw new ConfigError(
      `PITLANE_MAIL_FROM must be set with SMTP_URL, to an address of your own domain, such as "Pitlane <noreply@example.com>": mail servers refuse ${from.address}`,
    );
  }
  const dkim = readDkim(env, from);
  const settings = { host, port: Number(port) || (isTls ? 465 : 587), signIn: who, dkim };
  return { ...settings, tls: tls(env, isTls, host, who !== null) };
}

function signIn(env: Environment, username: string, password: string): SmtpSettings['signIn'] {
  const [user, inUrl] = [decoded(username), decoded(password)];
  const apart = env['SMTP_PASSWORD'] || env['SMTP_PASSWORD_FILE'] ? secret(env, 'SMTP_PASSWORD') : '';
  if (inUrl !== '' && apart !== '') {
    throw new ConfigError(
      'SMTP_URL has a password, and SMTP_PASSWORD or SMTP_PASSWORD_FILE is set: keep one',
    );
  }
  if (user === '' && inUrl + apart === '') return null;
  if (user === '') throw new ConfigError('SMTP_URL must name the user whose password is set: smtp://user@…');
  if (inUrl + apart === '') {
    throw new ConfigError(
      'SMTP_URL names a user: set a password there, or SMTP_PASSWORD or SMTP_PASSWORD_FILE',
    );
  }
  return { user, password: inUrl + apart };
}

function decoded(part: string): string {
  try {
    const text = decodeURIComponent(part);
    if (!/\p{Cc}/u.test(text)) return text;
  } catch {
    // Said below.
  }
  throw new ConfigError('SMTP_URL must have its user and password percent-encoded: % is %25');
}

/** A password never travels in clear, except to this very machine. */
function tls(env: Environment, isTls: boolean, host: string, hasPassword: boolean): SmtpSettings['tls'] {
  const wanted = oneOf(env, 'SMTP_TLS', 'auto', ['auto', 'required', 'off']);
  if (wanted === 'off' && (isTls || !isLoopback(host))) {
    throw new ConfigError('SMTP_TLS=off is for smtp:// to this machine (127.0.0.1, localhost) only');
  }
  if (isTls) return 'always';
  if (wanted === 'off') return 'never';
  return wanted === 'required' || (hasPassword && !isLoopback(host)) ? 'required' : 'offered';
}

function mailFrom(env: Environment): Mailbox {
  const text = env['PITLANE_MAIL_FROM'] || 'Pitlane <noreply@pitlane.invalid>';
  const mailbox = parseMailbox(text);
  if (mailbox === null) {
    throw new ConfigError('PITLANE_MAIL_FROM must be an address, such as "Pitlane <noreply@example.com>"');
  }
  return mailbox;
}

function mailUnsubscribe(env: Environment): string | null {
  const text = env['PITLANE_MAIL_UNSUBSCRIBE'] || null;
  if (text !== null && !isEmail(text)) {
    throw new ConfigError('PITLANE_MAIL_UNSUBSCRIBE must be an address that somebody reads');
  }
  return text;
}
