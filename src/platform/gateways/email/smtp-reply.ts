/**
 * The subject of a mail server's refusal, told at once in reply to us or later in a bounce: by its enhanced status codes (RFC 3463, and
 * the registry of RFC 5248) and by its words. docs/gateways/email.md has the pages that name them.
 */
import * as words from './smtp-words.ts';
import { says } from './smtp-words.ts';

/**
 * `gateway`: this installation's account, sender or way to the server, so the same for each message. `address`: there is no such
 * mailbox, and never will be; said without contradiction. `message`: this recipient, or this e-mail, alone.
 */
export type About = 'gateway' | 'address' | 'message';

export interface SmtpReply {
  /** Three digits; 0: not known. */
  readonly status: number;
  /** The server's text, the status included or not. */
  readonly text: string;
}

const enhancedCode = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/;
const enhancedCodes = new RegExp(enhancedCode, 'g');

/** The first enhanced status code of a text, such as `5.1.1`; null when it has none. */
export function enhancedCodeOf(text: string): string | null {
  return enhancedCode.exec(text)?.[0] ?? null;
}

/** The text with `…` in place of e-mail addresses: what they are made of says nothing. */
export const withoutAddresses = (text: string) => text.replace(/[^\s"'<>,;:()[\]]{1,64}@[\w.-]+/g, '…');

/** Mailbox unknown, bad syntax, moved. */
const ofAddress = /^5\.1\.[136]$/;
/** The codes 5.7.x about one e-mail or one recipient: lists, encryption, RFC 7293, and the restrictions of a Microsoft recipient. */
const policyOfMessage = /^5\.7\.(?:[24-7]|1[3789]|124|13[3-6])$/;
/** The sender's address, and Microsoft's daily limit; the server; its load, Google's code for a quota too; security or policy. */
const ofGateway = /^[45]\.(?:1\.(?:[78]|90)|3\.[125]|4\.5)$|^5\.7\./;
/** Codes that leave it to the words: none, "other", a command out of sequence, and "not authorized". */
const saysLittle = /^(?:[45]\.[01]\.0|[45]\.5\.[012]|5\.7\.[01])$/;
/** Codes with which servers say "user unknown" too; 5.1.10 is a null MX (RFC 7505), and Microsoft's for an unknown recipient. */
const mayBeAddress = /^5\.(?:1\.(?:4|10|351)|2\.[01]|3\.0|4\.1)$/;

/** RFC 5321: 552 is about size; 454 is Amazon SES's for a quota. */
const [tooLarge, throttled] = [552, 454];
/** Google (4.2.1) and Microsoft (5.2.0, 5.2.252) give these with codes of a mailbox too. */
const accountsOwn = /\brelay limit exceeded\b|\bsendasdenied|\bstoredrv\.(?:client)?submi/;
/** Outlook.com's for an unknown mailbox; without its code, others say it of their policy too (RFC 5321). */
const ofOutlook = /\bmailbox unavailable\b/;
/** Exchange Online's for a recipient that its directory does not have. */
const ofExchange = /\brecipient address rejected: access denied\b/;
/** Exim's for an unknown user, in a reply; without one it is about its own way to a domain. */
const ofExim = /\b55\d\b.{0,200}\bunrouteable address\b/;

/** A reply within the sentence of a server between (Cisco, formerly IronPort): `5.1.0 - Unknown address error 550-'5.2.2 …'`. */
const wrapped = /\b[45]\d\d(?:-'|', \[')(?=[^'])/;

const link = /\bhttps?:\/\/\S{1,500}/g;
const replyCode = /(?<![\d.])[245]\d\d(?=[ -])[ -]?(?:#?[245]\.\d{1,3}\.\d{1,3}(?!\.?\d))?/g;
/** For the words alone: a reply of several lines repeats its code within its sentences. */
const wordsOf = (said: string) => said.replace(link, ' ').replace(replyCode, ' ').replace(/\s+/g, ' ');

/** As `evidenceOf`; what says nothing is about this e-mail. */
export const aboutOf = (reply: SmtpReply): About => evidenceOf(reply) ?? 'message';

/**
 * Returns the subject of the text; null: it does not say. Looks at the first thousand characters. It is about the address only when nothing
 * in it contradicts: no other code, and no words of us, of a full or closed mailbox, of a policy or of the domain. A temporary
 * refusal (4xx) is never about an address that is bad for good.
 */
export function evidenceOf({ status, text }: SmtpReply): About | null {
  const whole = withoutAddresses(text.slice(0, 1_000)).toLowerCase();
  const said = whole.slice(Math.max(0, whole.search(wrapped)));
  if (accountsOwn.test(said)) return 'gateway';
  const codes: readonly string[] = said.match(enhancedCodes) ?? [];
  const clear = codes.filter((each) => !saysLittle.test(each));
  const code = clear[0] ?? codes[0] ?? '';
  const its = wordsOf(said);
  const isOfGateway = status !== tooLarge && (says(words.ofGateway, its) || says(words.ofBlockList, said));
  const isFinal =
    codes.length === 0 ? status >= 500 && status !== tooLarge : !codes.some((each) => each.startsWith('4'));
  const isClear = clear.every((each) => ofAddress.test(each) || mayBeAddress.test(each));
  if (isFinal && isClear && !isOfGateway && namesAddress(said, its, code)) return 'address';
  if (clear.length > 0 && !ofAddress.test(code)) return byCode(code);
  if (status === throttled || isOfGateway) return 'gateway';
  if (ofAddress.test(code) || says(words.ofMessage, its)) return 'message';
  if (/^5\.7\./.test(code)) return 'gateway';
  const isKnown = [words.ofClosedMailbox, words.ofMailbox, words.ofDomain].some((each) => says(each, its));
  return isKnown ? 'message' : null;
}

function namesAddress(said: string, its: string, code: string): boolean {
  if ([words.ofMailbox, words.ofDomain, words.ofContent].some((each) => says(each, its))) {
    return code === '5.4.1' && ofExchange.test(its);
  }
  // "5.1.1 inactive" says twice that it is gone; without that code it may come back.
  if (says(words.ofClosedMailbox, its)) return ofAddress.test(code);
  if (ofAddress.test(code) || (code === '5.4.1' && ofExchange.test(its))) return true;
  if (code === '5.5.0' && ofOutlook.test(its)) return true;
  return says(words.ofAddress, its) || ofExim.test(said);
}

/** A mailbox is said to be full or closed, in whatever part of the text. */
export const saysMailboxIsThere = (text: string) =>
  says([...words.ofFullMailbox, ...words.ofClosedMailbox], withoutAddresses(text).toLowerCase());

const byCode = (code: string): About =>
  ofGateway.test(code) && !policyOfMessage.test(code) ? 'gateway' : 'message';
