/** Parses a bounce without a delivery report, from qmail or an old Exim, by its words. */
import { aboutOf } from '#platform/gateways/email/smtp-reply.ts';
import { type Bounce, bareAddress, delayed, other } from './bounce.ts';

export interface BounceWords {
  /** From its From header, in lower case; null: there is no single author. */
  readonly author: string | null;
  readonly subject: string;
  readonly text: string;
  /** The header X-Failed-Recipients, which Exim sets; empty: absent. */
  readonly failedRecipients: string;
}

/** The limits of what is read: lines, and characters of each line. */
const linesAtMost = 300;
const lineAtMost = 500;
/** Below this line is our own e-mail. */
const copy = /^[ \t]*--.*\b(?:copy of|original message|below this line|header of)\b/i;
const daemon = /^(?:mailer-daemon|postmaster|mail-daemon)@/;
const isDelay = /\b(?:delayed|delay|warning)\b/i;
const isDelayed = /\bno action is required\b/i;
const isFailure = /undeliver|non-?deliver|failure|failed|returned|could not be|couldn't be/i;
const permanent = /(?<![\d.])5(?:\d\d(?=[ -])|\.\d{1,3}\.\d{1,3}(?!\.?\d))/;
const recipientLine = /^[ \t]+[^<>\s]{1,254}@[^<>\s]{1,254}[ \t]*$/;
const address = /<([^<>\s]{1,254}@[^<>\s]{1,254})>|^[ \t]+([^<>\s]{1,254}@[^<>\s]{1,254}?):?[ \t]*$/g;

/** The lines that the mail server wrote, without the copy of our own e-mail. */
function ownLines(text: string): string[] {
  const lines = text
    .slice(0, linesAtMost * lineAtMost)
    .split(/\r\n|\r|\n/, linesAtMost)
    .map((line) => line.slice(0, lineAtMost));
  const end = lines.findIndex((line) => copy.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

const isAddress = (line: string) => aboutOf({ status: 550, text: line }) === 'address';

/** The line that gives the reason of the failure; null: none found. */
export function reasonIn(text: string): string | null {
  const lines = ownLines(text);
  return (lines.find((line) => permanent.test(line)) ?? lines.find(isAddress))?.trim() ?? null;
}

/** The line below the recipient, in the form of Exim's reports; null: none found. */
export function lineBelowRecipient(text: string): string | null {
  const lines = ownLines(text);
  const at = lines.findIndex((line) => recipientLine.test(line));
  return at < 0 ? null : (lines[at + 1]?.trim() ?? '') || null;
}

/** Only for e-mails from a mail server: an answer of a person or an out-of-office reply is not about our e-mail. */
export function bounceOfWords(words: BounceWords): Bounce {
  const { author, text, failedRecipients } = words;
  if (!daemon.test(author ?? '') && failedRecipients === '') return other;
  const subject = words.subject.slice(0, lineAtMost);
  const lines = ownLines(text);
  if (isDelay.test(subject) || lines.some((line) => isDelayed.test(line))) return delayed;
  const reason = reasonIn(text);
  if (reason === null && !isFailure.test(subject)) return other;
  const named = lines.flatMap((line) =>
    [...line.matchAll(address)].map(([, inBrackets, alone]) => inBrackets ?? alone ?? ''),
  );
  const recipients = [...failedRecipients.slice(0, 1_000).split(','), ...named].map(bareAddress);
  return {
    kind: 'failed',
    why: reason ?? subject.trim(),
    isAddressInvalid: reason !== null && isAddress(reason),
    recipients: [...new Set(recipients)].filter((each) => each.includes('@')),
  };
}
