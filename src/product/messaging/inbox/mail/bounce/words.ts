/** Parses a bounce without a delivery report, by its words. */
import { evidenceOf } from '#platform/gateways/email/smtp-reply.ts';
import { type Bounce, bareAddress, delayed, other } from './bounce.ts';
import { ownLines, type Segment, segmentsOf } from './segments.ts';

export interface BounceWords {
  readonly subject: string;
  readonly text: string;
  /** The header X-Failed-Recipients, which Exim sets; empty: absent. */
  readonly failedRecipients: string;
  /** A mail system is its author. */
  readonly isOfMailSystem: boolean;
}

/** In characters: of the subject, and of the header X-Failed-Recipients. */
const [subjectAtMost, failedAtMost] = [500, 1_000];
const delayedSubject =
  /^\W{0,10}(?:warning|delayed?)\b|\((?:delay|delayed)\)|\bdelivery delayed\b|\bdelayed (?:\d|mail\b)/i;
const delayedText =
  /\bno action is required\b|\bwarning message only\b|\bdo not need to re-?send\b|\bwill be retried\b|\b(?:is|has been) delayed\b|\bhas not yet been delivered\b|\bkept in the queue\b|\bwill (?:continue|keep) (?:to try|trying)\b|\bdelivery attempts will continue\b/i;
const failedSubject =
  /\bdelivery (?:status )?notification\b(?!.{0,100}(?:success|relay))|undeliver|non-?deliver|failure|failed|returned|could not be|couldn't be|error/i;
const failedText =
  /\b(?:not|cannot|can't|couldn't|wasn't|unable to|error(?: occurred)?|trouble|failed|failure|problem)\b[^.]{0,60}\bdeliver|\bdeliver[^.]{0,60}\b(?:failed|failure|error|problems?|not possible)\b|undeliver|\bdid not reach\b|\bwas aborted\b|\breturned (?:mail|to sender)\b|\bpermanent (?:fatal )?(?:errors?|failure)\b|\bfailed permanently\b|\brejected by\b|\bnot (?:a )?member of this\b|\bduplicated message-id\b|"bounceType\\?":/i;
/** "If it could not be delivered, call 550 5551" tells of nothing. */
const condition = /\b(?:if|when|should)\b[^.]{0,100}$/i;
/** Notifications of Amazon SES in JSON other than bounces: complaints and deliveries. */
const notified = /^\s{0,20}\{"notificationType":"(?!Bounce")/;
/** Sendmail's subject has the reason. */
const returned = /^returned mail: (.*)/i;

/** A server gives up with these words in a notice of a delay (OpenSMTPD), and nothing follows. */
export const saysGivenUp = (line: string) => /\b(?:envelope|message) (?:has )?expired\b/i.test(line);

/** Only for e-mails from a mail system. What does not tell of a failure is not one: a server has other news too. */
export function bounceOfWords(given: BounceWords): Bounce {
  const subject = given.subject.slice(0, subjectAtMost);
  const lines = ownLines(given.text);
  if (notified.test(given.text)) return other;
  const isDelayed = delayedSubject.test(subject) || lines.some((line) => delayedText.test(line));
  if (isDelayed && !lines.some(saysGivenUp)) return delayed;
  const segments = segmentsOf(lines);
  if (!isDelayed && !tellsOfFailure(given, subject, lines, segments)) return other;
  const { about, recipients, reason } = verdictOf(segments);
  const its = about ?? evidenceOf({ status: 550, text: returned.exec(subject)?.[1] ?? '' });
  const named = given.failedRecipients.slice(0, failedAtMost).split(',').map(bareAddress);
  return {
    kind: 'failed',
    why: reason ?? subject.trim(),
    isAddressInvalid: its === 'address',
    recipients: [...new Set(recipients ?? [...named, ...allOf(segments)])].filter((each) =>
      each.includes('@'),
    ),
  };
}

const tellsOfFailure = (
  { failedRecipients, isOfMailSystem }: BounceWords,
  subject: string,
  lines: readonly string[],
  segments: readonly Segment[],
) =>
  failedRecipients !== '' ||
  failedSubject.test(subject) ||
  lines.some(saysFailed) ||
  segments.some(({ isReply, about }) => about === 'address' && (isReply || isOfMailSystem));

function saysFailed(line: string): boolean {
  const at = line.search(failedText);
  return at >= 0 && !condition.test(line.slice(0, at));
}

const allOf = (segments: readonly Segment[]) => segments.flatMap(({ addresses }) => addresses);

interface Verdict {
  readonly about: Segment['about'];
  /** The recipients whose address is gone; null: all that are named. */
  readonly recipients: readonly string[] | null;
  readonly reason: string | null;
}

/**
 * The verdict of the segments together: where they differ, the address that one says is gone and no other names. A sentence beside the
 * replies that says that a mailbox is full or closed contradicts them.
 */
export function verdictOf(segments: readonly Segment[]): Verdict {
  const replies = segments.filter(({ isReply, about }) => isReply && about !== null);
  const telling = replies.length > 0 ? replies : segments.filter(({ about }) => about !== null);
  const gone = telling.filter(({ about }) => about === 'address');
  const others = telling.filter(({ about }) => about !== 'address');
  const coded = segments.filter(({ hasCode }) => hasCode);
  const spoken = [...gone, ...telling, ...coded, ...segments.filter(({ isReply }) => isReply)];
  const verdict = { about: others[0]?.about ?? null, recipients: null, reason: spoken[0]?.reason ?? null };
  if (gone.length === 0) return verdict;
  if (segments.some(({ isReply, saysMailboxIsThere }) => !isReply && saysMailboxIsThere)) {
    return { ...verdict, about: 'message' };
  }
  if (others.length === 0) return { ...verdict, about: 'address' };
  const kept = new Set(allOf(others));
  const recipients = allOf(gone).filter((each) => !kept.has(each));
  if (recipients.length > 0) return { ...verdict, about: 'address', recipients };
  return { ...verdict, reason: others[0]?.reason ?? null };
}
