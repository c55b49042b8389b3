/** The texts of inbox digests: how many answers, and from whom; an e-mail quotes them too. */

import { oneLine } from '#values/one-line.ts';
import { shorten } from '#values/shorten.ts';
import type { Answer, InboxDigest } from './store.ts';

const namedAtMost = 3;

/** `Ava Nguyen +61491570006`; the phone alone where the customer's name is the phone. */
function writerOf({ name, phone }: Pick<Answer, 'name' | 'phone'>): string {
  const known = shorten(oneLine(name), 30);
  return phone === null || phone === name ? known : `${known} ${phone}`;
}

/** `2 new answers from Ava Nguyen +61491570006 and +61491570313`. */
export function summaryOf({ count, people, answers }: InboxDigest): string {
  const writers = [...new Set(answers.map(writerOf))].slice(0, namedAtMost);
  const others = people - writers.length;
  if (others > 0) writers.push(`${others} ${others === 1 ? 'other' : 'others'}`);
  const last = writers.pop() ?? '';
  const from = writers.length > 0 ? `${writers.join(', ')} and ${last}` : last;
  return `${count} new ${count === 1 ? 'answer' : 'answers'} from ${from}`;
}

/** The e-mail's text before the quoted answers. */
export function bodyOf(digest: InboxDigest, workshop: string): string {
  const shown = digest.answers.length;
  const more = digest.count > shown ? ` The first ${shown}:` : '';
  return `${workshop} has ${summaryOf(digest)}.${more}`;
}

/** One or two SMS segments. */
export function smsOf(digest: InboxDigest, workshop: string): string {
  return `${shorten(oneLine(workshop), 40)}: ${summaryOf(digest)}.`;
}

/** Sender and text of each answer shown. */
export function detailsOf({ answers }: InboxDigest): [string, string][] {
  return answers.map((answer) => [writerOf(answer), shorten(answer.body, 1_000)]);
}
