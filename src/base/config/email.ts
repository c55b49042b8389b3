/** Settings of e-mail: the server, the sender, and how notices are ended. */
import { cleanEmail, isEmail } from '#base/values/email.ts';
import { domainOf, type Mailbox, parseMailbox } from '#base/values/mailbox.ts';
import { oneLine } from '#base/values/one-line.ts';
import { type DkimSettings, readDkim } from './dkim.ts';
import { either, mapped, oneOf, text, url } from './kinds.ts';
import { isLoopback } from './loopback.ts';
import { ConfigError, type Environment, type Kind, read, setting, together, type Values } from './setting.ts';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** How this installation names itself to the server (EHLO): a full name, as RFC 5321, 4.1.1.1 wants. */
  readonly name: string;
  /** `always`: from the first byte (`smtps`). Else by STARTTLS: `required`, when `offered`, or `never`. */
  readonly tls: 'always' | 'required' | 'offered' | 'never';
  /** Null: no sign-in. */
  readonly signIn: { readonly user: string; readonly password: string } | null;
  /** Null: e-mails are not signed. */
  readonly dkim: DkimSettings | null;
}

const smtpUrl = mapped(url(['smtp:', 'smtps:']), (text, name) => {
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text);
  if (hostname === '' || !['', '/'].includes(pathname) || search + hash !== '') {
    throw new ConfigError(
      `${name} must be a server and nothing more, such as smtp://user:password@mail.example.com:587, with / ? # @ % of a password percent-encoded`,
    );
  }
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase(),
    port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
    isTls: protocol === 'smtps:',
    user: decoded(username, name),
    password: decoded(password, name),
  };
});

const mailbox: Kind<Mailbox> = {
  form: '`Name <address>`, or an address',
  parse(text, name) {
    const found = parseMailbox(text);
    if (found !== null) return found;
    throw new ConfigError(`${name} must be an address, such as "Pitlane <noreply@example.com>"`);
  },
};

const address: Kind<string> = {
  form: 'an address',
  parse(text, name) {
    const email = cleanEmail(text);
    if (isEmail(email)) return email;
    throw new ConfigError(`${name} must be an address that somebody reads`);
  },
};

const viaAtMost = 60;

/** `off` is the empty text. */
const via: Kind<string> = {
  form: 'a name, or `off`',
  parse(text, name) {
    if (text === 'off') return '';
    const shown = oneLine(text).trim();
    if (shown !== '' && [...shown].length <= viaAtMost) return shown;
    throw new ConfigError(`${name} must be a name of at most ${viaAtMost} characters, or off`);
  },
};

/** The kind of a mail domain: a name with a dot, not an IP address. The value is in lower case. */
const domain = (what: string, example: string): Kind<string> => ({
  form: what,
  parse(text, name) {
    if (isEmail(`x@${text}`)) return text.toLowerCase();
    throw new ConfigError(`${name} must be ${what}, such as ${example}`);
  },
});

export const mailSettings = {
  /** Null: the sandbox keeps e-mails. */
  server: setting('SMTP_URL', smtpUrl, {
    help: 'The mail server that sends e-mail: `smtp://user:password@host:587` or `smtps://…`, user and password percent-encoded. Without it the sandbox keeps e-mails. See [e-mail](email.md).',
    example: 'smtp://user:password@mail.example.com:587',
  }),
  /** The sender of every e-mail; in the sandbox the address need not exist. */
  mailFrom: setting('PITLANE_MAIL_FROM', mailbox, {
    default: 'Pitlane <noreply@pitlane.invalid>',
    help: "The sender of every e-mail; must be set with `SMTP_URL`. Its name stands after the workshop's in those to customers, unless `PITLANE_MAIL_VIA` says otherwise.",
    example: 'Pitlane <noreply@example.com>',
  }),
  /** The name behind a workshop's in the sender of an e-mail; empty: none. Null: the name of `mailFrom`. */
  mailVia: setting('PITLANE_MAIL_VIA', via, {
    unset: 'the name of `PITLANE_MAIL_FROM`',
    help: "What stands after `via` in the sender's name of e-mails to customers: `Carlton Motors via Pitlane`. `off`: the workshop's name alone.",
    example: 'off',
  }),
  /** The domain of addresses that receive staff's replies to customers; null: there are none. */
  inboundMailDomain: setting('PITLANE_INBOUND_MAIL_DOMAIN', domain('a domain', 'reply.example.com'), {
    help: 'The domain whose e-mails your mail server pipes into `pitlane inbox receive-mail`: then a workshop replies to an answer by replying to its e-mail, and bounces are read. See [replies by e-mail](email.md#replies-by-e-mail) and [bounces](email.md#bounces).',
    example: 'reply.example.com',
  }),
  /** False: bounces go to the sender of every e-mail, even with such a domain. */
  bounces: setting('PITLANE_BOUNCE_ADDRESSES', either('on', 'off'), {
    formerly: 'PITLANE_BOUNCES',
    default: 'on',
    help: 'With `PITLANE_INBOUND_MAIL_DOMAIN`, each e-mail has an envelope sender of its own there, and its bounces are read: see [bounces](email.md#bounces). `off`: for a mail server that takes no other sender than `PITLANE_MAIL_FROM`.',
  }),
  /** The address to which recipients of a workshop's notices write to unsubscribe; null: there is none. */
  mailUnsubscribe: setting('PITLANE_MAIL_UNSUBSCRIBE', address, {
    help: 'Somebody reads it: whom people of workshops write to when they want no more notices (List-Unsubscribe).',
  }),
};

export const smtpSettings = {
  /** Null: the domain of the sender. */
  name: setting('SMTP_EHLO_NAME', domain('a full host name', 'pitlane.example.com'), {
    formerly: 'SMTP_NAME',
    unset: 'the domain of `PITLANE_MAIL_FROM`',
    help: 'How Pitlane names itself to the mail server (EHLO): a full name of your own. Servers refuse what containers are called.',
    example: 'pitlane.example.com',
  }),
  password: setting('SMTP_PASSWORD', text(), {
    secret: true,
    help: 'The password, when the URL names the user alone.',
  }),
  tls: setting('SMTP_TLS', oneOf(['auto', 'required', 'off']), {
    default: 'auto',
    help: 'With `smtp://`. `auto`: STARTTLS when offered, and always where a password goes to another machine. `required`: always. `off`: never, to this machine only.',
  }),
};

type Mail = Values<typeof mailSettings>;
type Server = NonNullable<Mail['server']>;
type Smtp = Values<typeof smtpSettings>;

export interface EmailConfig extends Omit<Mail, 'server'> {
  /** Null: the sandbox keeps e-mails. */
  readonly smtp: SmtpSettings | null;
}

/** The domain of addresses that receive bounces; null: they go to the sender of every e-mail. */
export function bounceDomain({
  bounces,
  inboundMailDomain,
}: Pick<EmailConfig, 'bounces' | 'inboundMailDomain'>): string | null {
  return bounces ? inboundMailDomain : null;
}

/**
 * Throws ConfigError with all that is wrong. Settings of an absent server are not read, so they may be incomplete; those of a
 * server with an invalid address are.
 */
export function readEmailConfig(env: Environment): EmailConfig {
  const { server, ...others } = mailSettings;
  const isUsed = Boolean(env[server.name]);
  const from = parseMailbox(env[others.mailFrom.name] || others.mailFrom.default);
  const { mail, own, dkim } = together({
    mail: () => read(env, others),
    own: () => (isUsed ? readServer(env) : null),
    sender: () => (isUsed && from !== null ? requireSender(from) : undefined),
    dkim: () => (isUsed ? readDkim(env, from) : null),
  });
  return { smtp: own && { ...own, name: own.name ?? domainOf(mail.mailFrom), dkim }, ...mail };
}

type ServerSettings = Omit<SmtpSettings, 'dkim' | 'name'> & Pick<Smtp, 'name'>;

function readServer(env: Environment): ServerSettings {
  const { server: url } = mailSettings;
  const { given, settings } = together({
    given: () => read(env, { server: { ...url, required: 'must be set' } }),
    settings: () => read(env, smtpSettings),
  });
  const { server } = given;
  const who = signIn(server, settings.password);
  const { host, port } = server;
  return { host, port, name: settings.name, signIn: who, tls: tls(settings, server, who !== null) };
}

/** Not set, or a domain that nobody can have (RFC 6761). */
function requireSender(from: Mailbox): void {
  if (!domainOf(from).endsWith('.invalid')) return;
  throw new ConfigError(
    `PITLANE_MAIL_FROM must be set with SMTP_URL, to an address of your own domain, such as "Pitlane <noreply@example.com>": mail servers refuse ${from.address}`,
  );
}

function signIn({ user, password }: Server, apart: string | null): SmtpSettings['signIn'] {
  if (password !== '' && apart !== null) {
    throw new ConfigError(
      'SMTP_URL has a password, and SMTP_PASSWORD or SMTP_PASSWORD_FILE is set: keep one',
    );
  }
  const given = password || apart;
  if (user === '' && given === null) return null;
  if (user === '') throw new ConfigError('SMTP_URL must name the user whose password is set: smtp://user@…');
  if (given !== null) return { user, password: given };
  throw new ConfigError(
    'SMTP_URL names a user: set a password there, or SMTP_PASSWORD or SMTP_PASSWORD_FILE',
  );
}

function decoded(part: string, name: string): string {
  try {
    const text = decodeURIComponent(part);
    if (!/\p{Cc}/u.test(text)) return text;
  } catch {
    // Said below.
  }
  throw new ConfigError(`${name} must have its user and password percent-encoded: % is %25`);
}

/** A password never travels in clear, except to this very machine. */
function tls({ tls: wanted }: Smtp, { host, isTls }: Server, hasPassword: boolean): SmtpSettings['tls'] {
  if (wanted === 'off' && (isTls || !isLoopback(host))) {
    throw new ConfigError('SMTP_TLS=off is for smtp:// to this machine (127.0.0.1, localhost) only');
  }
  if (isTls) return 'always';
  if (wanted === 'off') return 'never';
  return wanted === 'required' || (hasPassword && !isLoopback(host)) ? 'required' : 'offered';
}
