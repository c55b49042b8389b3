/** The parts of a bounce's text: what the mail system says of each recipient, above the copy of our e-mail. */
import {
  type About,
  enhancedCodeOf,
  evidenceOf,
  saysMailboxIsThere,
} from '#platform/gateways/email/smtp-reply.ts';
import { bareAddress } from './bounce.ts';

export interface Segment {
  /** On one line, from where the reason begins; bounded. */
  readonly reason: string;
  /** Its subject; null: it does not say. */
  readonly about: About | null;
  /** It has a reply code, or begins with an address: no mere explanation. */
  readonly isReply: boolean;
  readonly hasCode: boolean;
  /** It says that a mailbox is full or closed. */
  readonly saysMailboxIsThere: boolean;
  /** The server took the recipient, and refused at the end of the e-mail. */
  readonly isLate: boolean;
  /** The addresses that it names, in lower case. */
  readonly addresses: readonly string[];
}

/** The limits of what is read: lines, characters of each line, and characters of a segment. */
const [linesAtMost, lineAtMost, segmentAtMost] = [300, 500, 1_000];
/** Below this line is our own e-mail. */
const copy =
  /^[ \t]*[-=*]{2}.*\b(?:copy of|original|unsent|returned|below this line|header of|end of) ?(?:message|mail)?\b|^[ \t]*(?:original|returned) message(?: follows)?\b.{0,40}$|\b(?:is|included is) a copy of the (?:original )?(?:message|mail)\b|^message headers follow\b|^(?:Received|Return-Path|DKIM-Signature|MIME-Version|X-[\w-]{1,60}): /i;
/** A command of a transcript, or the server that it is spoken with. */
const command = /^\s*(?:>>> |\.{3} while talking|while talking)/i;
const answer = /^\s*<<< /;
const permanent = /(?<![\d.])(?:5\d\d(?=[ -])|5\.\d{1,3}\.\d{1,3}(?!\.?\d))/;
const reply = /(?<![\d.])[45](?:\d\d(?=[ -])|\.\d{1,3}\.\d{1,3}(?!\.?\d))/;
const first = /^[\s>*"'<]{0,12}([^<>\s"'*:;,()]{1,254}@[^<>\s"':;,()]{1,254}?)[>"']{0,2}(?:[\s:;[(]|\.{3}|$)/;
const addressAlone = /^\S{3,509}$/;
const inBrackets = /<([^<>\s]{1,254}@[^<>\s]{1,254})>/g;

/** The lines that the mail system wrote. */
export function ownLines(text: string): string[] {
  const lines = text
    .slice(0, linesAtMost * lineAtMost)
    .split(/\r\n|\r|\n/, linesAtMost)
    .map((line) => line.slice(0, lineAtMost).replace(/^>(?: |$)/, ''));
  const end = lines.findIndex((line) => copy.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/** An empty line, a line that begins with an address, and a command of a transcript begin the next one. */
export function segmentsOf(lines: readonly string[]): Segment[] {
  const groups: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === '' || first.test(line) || command.test(line)) groups.push([]);
    if (line.trim() !== '') groups.at(-1)?.push(line.trim());
  }
  return groups.filter((group) => group.length > 0).map(segmentOf);
}

function segmentOf(lines: readonly string[]): Segment {
  const whole = lines.join(' ').slice(0, segmentAtMost);
  const [head = ''] = lines;
  const named = [
    first.exec(head)?.[1] ?? '',
    ...[...whole.matchAll(inBrackets)].map(([, each = '']) => each),
  ];
  // Sendmail writes its own reading of a reply below it, whatever that says.
  const remote = lines.filter((line) => answer.test(line));
  const said = (remote.length > 0 ? remote : lines).join(' ').slice(0, segmentAtMost);
  const isLate = /\bend of data\b/i.test(whole);
  const about = evidenceOf({ status: statusOf(said), text: said });
  return {
    about: isLate && isUnsure(about, said) ? 'message' : about,
    isLate,
    saysMailboxIsThere: saysMailboxIsThere(whole),
    reason: lines.slice(reasonAt(lines)).join(' ').slice(0, lineAtMost),
    isReply: first.test(head) || reply.test(whole),
    hasCode: reply.test(whole),
    addresses: [...new Set(named.map(bareAddress))].filter((each) => each.includes('@')),
  };
}

/** The line with the code, else one that says that the address is gone, else the one below the address. */
function reasonAt(lines: readonly string[]): number {
  const coded = lines.findIndex((line) => permanent.test(line));
  if (coded >= 0) return coded;
  const gone = lines.findIndex((line) => evidenceOf({ status: 550, text: line }) === 'address');
  return gone >= 0 ? gone : lines.length > 1 && addressAlone.test(lines[0] ?? '') ? 1 : 0;
}

/**
 * A server that took the recipient contradicts itself by "user unknown" at the end of the e-mail: its filters say so too. With a code
 * of its own for that, as Exchange has, it looked the recipient up late.
 */
export const isUnsure = (about: About | null, text: string) =>
  about === 'address' && enhancedCodeOf(text) === null;

/** The first reply code, as a number; 550 where there is none: it was returned for good. */
export const statusOf = (text: string) => Number(/(?<![\d.])[45]\d\d(?![\d.])/.exec(text)?.[0] ?? 550);
