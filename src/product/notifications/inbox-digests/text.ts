/** The texts of inbox digests: how many answers, and from whom; an e-mail quotes them too. */

import { isolated, visible } from '#base/values/bidi.ts';
import { shownBy, withBrokenLinks } from '#base/values/callers-links.ts';
import { oneLine } from '#base/values/one-line.ts';
import { nameWritten, phoneIn } from '#base/values/phone.ts';
import { shorten } from '#base/values/shorten.ts';
import type { Channel } from '#product/sending/kinds.ts';
import type { EmailContent } from '../email-content.ts';
import type { Answer, DigestWorkshop, InboxDigest } from './store.ts';

const namedAtMost = 3;

/** A customer's name in the form for a channel. */
export const nameShownBy = (channel: Channel, name: string): string =>
  shownBy[channel](oneLine(visible(name)));

/** `Ava Nguyen 0491 570 006`; only the phone when the customer's name is the phone. */
function writerOf({ name, phone }: Answer, country: string, channel: Channel): string {
  const shown = phone === null ? null : phoneIn(country, phone);
  if (phone === name) return shown ?? '';
  const known = isolated(shorten(nameShownBy(channel, nameWritten(name, country)), 30));
  return [known, shown ?? ''].filter(Boolean).join(' ') || 'a customer';
}

/** `2 new answers from Ava Nguyen 0491 570 006 and 0491 570 313`. */
export function summaryOf(
  { count, people, answers }: InboxDigest,
  { country }: DigestWorkshop,
  channel: Channel,
): string {
  const names = answers.map((answer) => writerOf(answer, country, channel));
  const writers = [...new Set(names)].slice(0, namedAtMost);
  const others = people - writers.length;
  if (others > 0) writers.push(`${others} ${others === 1 ? 'other' : 'others'}`);
  const last = writers.pop() ?? '';
  const from = writers.length > 0 ? `${writers.join(', ')} and ${last}` : last;
  return `${count} new ${count === 1 ? 'answer' : 'answers'} from ${from}`;
}

/** The e-mail's text before the quoted answers. */
export function bodyOf(digest: InboxDigest, workshop: DigestWorkshop): string {
  const shown = digest.answers.length;
  const more = digest.count > shown ? ` The first ${shown}:` : '';
  return `${isolated(workshop.name)} has ${summaryOf(digest, workshop, 'email')}.${more}`;
}

/** One or two SMS segments. */
export function smsOf(digest: InboxDigest, workshop: DigestWorkshop): string {
  return `${isolated(shorten(oneLine(visible(workshop.name)), 40))}: ${summaryOf(digest, workshop, 'sms')}.`;
}

/** Sender and text of each shown answer; after the last one of a person the address that replies to them, if there is one. */
export function detailsOf(
  { answers }: InboxDigest,
  { country }: DigestWorkshop,
  replyTo: (conversationId: string) => string | null,
): EmailContent['quotes'] {
  return answers.map((answer, index) => {
    const { conversationId, body } = answer;
    const isLast = !answers.some((other, n) => n > index && other.conversationId === conversationId);
    return [
      writerOf(answer, country, 'email'),
      shorten(withBrokenLinks(visible(body)), 1_000),
      isLast ? replyTo(conversationId) : null,
    ];
  });
}

/** `byEmail`: e-mails to our address become replies. */
export function howToReply({ people }: InboxDigest, byEmail: boolean): string {
  if (!byEmail) {
    return 'Please do not reply to this e-mail: your customers would not get it. Call or text them.';
  }
  return people === 1
    ? 'Reply to this e-mail, and your customer gets your words as an SMS.'
    : 'Write to the address below their words, and your customer gets yours as an SMS.';
}

/** The phones as they are written in the texts, with their E.164 numbers. */
export function phonesOf({ answers }: InboxDigest, { country }: DigestWorkshop): Map<string, string> {
  return new Map(answers.flatMap(({ phone }) => (phone === null ? [] : [[phoneIn(country, phone), phone]])));
}
