/** What a workshop reads of its customers' answers: how many, and from whom; an e-mail shows them too. */

import { oneLine } from '#values/one-line.ts';
import { shorten } from '#values/shorten.ts';
import type { Answer, InboxDigest } from './store.ts';

const namedAtMost = 3;

/** `Ava Nguyen +61491570006`; the phone alone where it stands for the name. */
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

/** What an e-mail says before it shows them. */
export function bodyOf(digest: InboxDigest, workshop: string): string {
  const shown = digest.answers.length;
  const more = digest.count > shown ? ` The first ${shown}:` : '';
  return `${workshop} has ${summaryOf(digest)}.${more}`;
}

/** One SMS or two. */
export function smsOf(digest: InboxDigest, workshop: string): string {
  return `${shorten(oneLine(workshop), 40)}: ${summaryOf(digest)}.`;
}

/** Who wrote, and what, one after the other. */
export function detailsOf({ answers }: InboxDigest): [string, string][] {
  return answers.map((answer) => [writerOf(answer), shorten(answer.body, 1_000)]);
}
