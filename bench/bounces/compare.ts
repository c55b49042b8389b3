/** What the parser of bounces says of one mail of the corpus, beside what sisimai's tests expect. */
import { type Bounce, other } from '#product/messaging/inbox/mail/bounce/bounce.ts';
import { parseBounce } from '#product/messaging/inbox/mail/bounce/parse.ts';
import { ownLines } from '#product/messaging/inbox/mail/bounce/segments.ts';
import { readMime, textOf } from '#product/messaging/inbox/mail/mime.ts';
import type { Expected } from './expected.ts';

/**
 * `wronglyMarked`: an address that the corpus does not call gone. `notMarked`: one that it does. `dropped`: a bounce that is taken for
 * something else. `otherKind`: what is no bounce, taken for one.
 */
export type Verdict = 'right' | 'wronglyMarked' | 'notMarked' | 'dropped' | 'otherKind';

export interface Compared {
  readonly verdict: Verdict;
  readonly bounce: Bounce;
}

/** Complaints, answers of programs, and news of a delivery. */
const noBounce = ['feedback', 'vacation', 'delivered'];
/** The mailbox is gone. A domain that is (`hostunknown`, `notaccept`) marks nobody: its name servers may be gone for an hour. */
const gone = ['userunknown', 'hasmoved'];

/**
 * As if the mail had come to the signed address of one attempt, with an empty sender of the envelope. A mail about several recipients
 * is one bounce: an address is to be marked when one of them is gone. The corpus does not tell a delay from a failure, so both are
 * right. `saysUnknown`: whether a text says that the user is unknown, which decides for `filtered`.
 */
export async function compare(
  raw: Buffer,
  { reasons }: Expected,
  saysUnknown: (text: string) => boolean,
): Promise<Compared> {
  const bounce = await parseBounce(raw, '').catch(() => other);
  if (reasons.every((reason) => noBounce.includes(reason))) {
    return { verdict: bounce.kind === 'other' ? 'right' : 'otherKind', bounce };
  }
  if (bounce.kind === 'other') return { verdict: 'dropped', bounce };
  const isGone =
    reasons.some((reason) => gone.includes(reason)) ||
    (reasons.includes('filtered') && saysUnknown(await saidIn(raw)));
  const isMarked = bounce.kind === 'failed' && bounce.isAddressInvalid;
  return { verdict: isMarked === isGone ? 'right' : isMarked ? 'wronglyMarked' : 'notMarked', bounce };
}

/** Subject, text above the copy of the original, and delivery report. */
async function saidIn(raw: Buffer): Promise<string> {
  const mail = await readMime(raw);
  const text = await textOf(mail);
  const reports = mail.attachments.filter(({ mimeType }) => mimeType.endsWith('/delivery-status'));
  const own = text.trim() === '' ? raw.toString('latin1') : ownLines(text).join('\n');
  return [mail.subject, own, ...reports.map(({ content }) => Buffer.from(content as ArrayBuffer))].join('\n');
}
