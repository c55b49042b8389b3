/**
 * Whom a mail server's refusal is about: by its enhanced status code (RFC 3463, and the registry of RFC 5248), and by the server's
 * words where it has none, or one that says no more than "policy". docs/gateways.md has the pages that name them.
 */

/**
 * `gateway`: this installation's account, sender or way to the server, so the same for each message. `address`: there is no such
 * mailbox, and never will be. `message`: this recipient, or this e-mail, alone.
 */
export type About = 'gateway' | 'address' | 'message';

export interface SmtpReply {
  /** Three digits; 0: not known. */
  readonly status: number;
  /** The server's text, the status included or not. */
  readonly text: string;
}

const enhancedCode = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;

/** The first enhanced status code of a text, such as `5.1.1`; null when it has none. */
export function enhancedCodeOf(text: string): string | null {
  return enhancedCode.exec(text)?.[0] ?? null;
}

/** The text with `…` in place of e-mail addresses: what they are made of says nothing. */
export const withoutAddresses = (text: string) => text.replace(/[^\s"'<>,;:()[\]]{1,64}@[\w.-]+/g, '…');

/** Mailbox or domain unknown, bad syntax, moved, null MX. */
const ofAddress = /^5\.1\.(?:[1236]|10)$/;
/** Of 5.7.x what is about one e-mail or one recipient: lists, encryption, RFC 7293, and the restrictions of a Microsoft recipient. */
const policyOfMessage = /^5\.7\.(?:[24-7]|1[789]|124|13[3-6])$/;
/** The sender's address, and Microsoft's daily limit; the server; its load, Google's code for a quota too; security or policy. */
const ofGateway = /^[45]\.(?:1\.(?:[78]|90)|3\.[125]|4\.5)$|^5\.7\./;
/** Codes that leave it to the words: none, "other", and "not authorized". */
const saysLittle = /^(?:[45]\.[015]\.0|5\.7\.[01])$/;

/** RFC 5321: 552 is about size; 454 is Amazon SES's for a quota. */
const [tooLarge, throttled] = [552, 454];
/** Google (4.2.1) and Microsoft (5.2.0, 5.2.252) give these with codes of a mailbox too. */
const accountsOwn = /\brelay limit exceeded\b|\bsendasdenied|\bstoredrv\.(?:client)?submi/;

const wordsOfGateway = [
  /\brelay/,
  /\b(?:daily|hourly|sending|outbound|e-?mail)\b[^.]{0,25}\b(?:quota|limit|rate)\b/,
  /\bthrottl|\bunusual rate\b|\btoo many (?:messages|e-?mails) from\b/,
  /\bnot verified\b|\bsuspended\b|\bsending (?:has been |is )?(?:paused|disabled|blocked)\b/,
  /\byour (?:ip|account|server|domain|host|network)\b|\bsending ip\b|\bip address\b/,
  /\bsender\b[^.]{0,30}\b(?:rejected|denied|verif|not (?:allowed|owned)|blocked|banned)|\bnot owned by user\b/,
  /\bauthenticat|\bnot authori[sz]ed\b|\bunauthori[sz]ed\b/,
  /\bclient host\b|\bhelo\b|\behlo\b|\breverse dns\b|\bptr\b|\bspf\b|\bdkim\b|\bdmarc\b/,
  /\bblocked using\b|\bblack ?list|\bblock ?list|\bblocklisted\b|\blisted (?:at|by|in|on)\b/,
];
const wordsOfMessage = [
  /\bspam\b|\bunsolicited\b|\bvirus|\bmalware\b|\bphish|\battachment|\bcontent\b|\bmessage (?:is |was )?blocked\b/,
  /\brecipient address rejected\b|\bpolicy that prohibited\b/,
];
const wordsOfAddress = [
  /\bno such (?:user|person|recipient|mailbox|address|account)|\bno mailbox\b|\bnull mx\b/,
  /\bunknown (?:user|recipient|mailbox|address|account|local part)|\bunrouteable address\b/,
  /\b(?:user|recipient|mailbox|account|address)\b[^.]{0,40}\b(?:unknown|not found|invalid|does(?: not|n't) exist|doesn't have)/,
];

/** Outlook.com's for an unknown mailbox; without its code, others say it of their policy too (RFC 5321). */
const ofOutlook = /^5\.5\.0\b.*\bmailbox unavailable\b/;

const matches = (patterns: readonly RegExp[], text: string) => patterns.some((pattern) => pattern.test(text));

/** Looks at the first thousand characters. A temporary refusal (4xx) is never about an address that is bad for good. */
export function aboutOf({ status, text }: SmtpReply): About {
  const said = withoutAddresses(text.slice(0, 1_000)).toLowerCase();
  const code = enhancedCodeOf(said) ?? '';
  const isFinal = code === '' ? status >= 500 : code.startsWith('5');
  if (accountsOwn.test(said)) return 'gateway';
  if (code !== '' && !saysLittle.test(code)) return byCode(code);
  if (ofOutlook.test(said.slice(said.indexOf('5.5.0')))) return 'address';
  if (status === throttled) return 'gateway';
  if (status !== tooLarge && matches(wordsOfGateway, said)) return 'gateway';
  if (matches(wordsOfMessage, said)) return 'message';
  if (/^5\.7\./.test(code)) return 'gateway';
  return isFinal && status !== tooLarge && matches(wordsOfAddress, said) ? 'address' : 'message';
}

function byCode(code: string): About {
  if (ofAddress.test(code)) return 'address';
  return ofGateway.test(code) && !policyOfMessage.test(code) ? 'gateway' : 'message';
}
