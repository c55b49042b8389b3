/** Messages and notes of a conversation, grouped by day. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { dateAt } from '#base/values/local-day.ts';
import { localDate, localDateTime, localTime } from '#base/values/local-time.ts';
import { oneLine } from '#base/values/one-line.ts';
import { ownValue } from '#base/values/own-value.ts';
import { shorten } from '#base/values/shorten.ts';
import { actorInWords } from '#platform/audit/words.ts';
import { readTapback, type Tapback } from '#product/messaging/inbound/tapback.ts';
import { nameShown, textShown } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { againForm } from '../compose/again.ts';
import { listingOf, queryFor } from '../list/query.ts';
import type { Talk } from '../talk.ts';
import { timeShown } from '../when.ts';
import { attachmentList } from './attachments.ts';
import { type Entry, earlierThan, type Story } from './read.ts';
import { stateMark } from './state.ts';
import type { ThreadMessage } from './store.ts';

export function storyShown(
  visit: WorkshopVisit,
  talk: Talk,
  { entries, earlier, isEarlier }: Story,
): SafeHtml {
  const { timezone } = visit.workshop;
  const days = Map.groupBy(entries, ({ at }) => dateAt(at.getTime(), timezone));
  const link = (label: string, cursor: string | null) => {
    const query = new URLSearchParams(queryFor(listingOf(visit.query)));
    if (cursor !== null) query.set(earlierThan, cursor);
    return html`<a class="button quiet" href="${talk.path}${query.size === 0 ? '' : `?${query}`}">${label}</a>`;
  };
  return html`${earlier === null ? null : html`<p class="buttons">${link('Earlier', earlier)}</p>`}
${entries.length === 0 ? html`<p class="quiet">Nothing was said yet.</p>` : null}${[...days].map(([date, its]) => html`<section class="day-said" id="day-${date}"><h2><span>${localDate(its[0]?.at ?? new Date(0), timezone)}</span></h2><ol class="said-list">${its.map((entry) => entryItem(visit, talk, entry))}</ol></section>`)}
${isEarlier ? html`<p class="buttons">${link('Newest', null)}</p>` : null}`;
}

function entryItem(visit: WorkshopVisit, talk: Talk, entry: Entry): SafeHtml {
  return 'note' in entry ? noteItem(visit, entry) : messageItem(visit, talk, entry);
}

/** Marked clearly as something that the customer does not read. */
function noteItem({ workshop }: WorkshopVisit, { note, at }: Extract<Entry, { note: unknown }>): SafeHtml {
  return html`<li class="noted" id="n-${note.noteId}"><p class="about"><strong><span aria-hidden="true">✎</span> Note, inside only</strong> <bdi>${actorInWords(note.actor, { person: note.name })}</bdi> ${timeShown(at, localTime(at, workshop.timezone), workshop.timezone)}</p><p class="message">${textShown(note.text, workshop)}</p></li>`;
}

const quotedAtMost = 80;

/** Messages that the workshop sends automatically. */
const kinds: Readonly<Record<string, string>> = {
  confirmation: 'Confirmation of the opt-out',
  helpAnswer: 'Answer to HELP',
  bookingNotice: 'Notice of a booking',
  quoteNotice: 'Notice of a quote',
  carReady: 'Car is ready',
  serviceReminder: 'Service reminder',
  automation: 'Automation',
  blast: 'Campaign',
};

function messageItem(
  visit: WorkshopVisit,
  talk: Talk,
  { message, author }: Extract<Entry, { message: unknown }>,
): SafeHtml {
  const { workshop, base } = visit;
  const { id, direction, channel, subject, body, at, attachments, bookingId, bookingDate } = message;
  const isHeard = direction === 'inbound';
  const whole = localDateTime(at, workshop.timezone);
  const tapback = message.kind === 'reaction' ? readTapback(body) : null;
  if (tapback !== null) return reactionItem(visit, talk, message, tapback);
  const text = channel === 'email' ? (subject ?? 'E-mail') : body;
  const mark = stateMark(message);
  return html`<li class="${isHeard ? 'heard' : 'sent'}" id="m-${id}"><p class="about"><strong>${whoSaid(visit, talk, message, author)}</strong>${channel === 'email' ? ' E-mail' : null} ${timeShown(at, localTime(at, workshop.timezone), workshop.timezone)}</p>${text === '' ? null : html`<p class="message">${textShown(text, workshop)}</p>`}${attachmentList(visit, talk.path, attachments, `the customer, ${whole}`)}${
    mark === null && bookingId === null
      ? null
      : html`<p class="fate">${mark}${message.repeatsUnknown ? html` <span class="quiet">It may have been sent twice.</span>` : null}${bookingId === null || bookingDate === null ? null : html` <a href="${base}/bookings/${bookingId}">Booking ${localDateTime(bookingDate, workshop.timezone)}</a>`}</p>`
  }${again(visit, talk, message)}</li>`;
}

/** A customer's reaction to one of our texts: nobody has to answer it. */
function reactionItem(
  { workshop }: WorkshopVisit,
  talk: Talk,
  { id, at }: ThreadMessage,
  { sign, isRemoved, quoted }: Tapback,
): SafeHtml {
  const name = talk.name === null ? html`The customer` : nameShown(talk.name, workshop);
  const short = shorten(oneLine(textShown(quoted, workshop)), quotedAtMost);
  return html`<li class="heard" id="m-${id}"><p class="about"><strong>${name}</strong> ${isRemoved ? 'took back' : 'reacted'} ${sign} ${isRemoved ? 'from' : 'to'} “${short}” ${timeShown(at, localTime(at, workshop.timezone), workshop.timezone)}</p></li>`;
}

function whoSaid(
  { workshop }: WorkshopVisit,
  talk: Talk,
  { direction, kind, partner }: ThreadMessage,
  author: string | null,
): SafeHtml {
  if (direction === 'inbound')
    return talk.name === null ? html`The customer` : nameShown(talk.name, workshop);
  if (kind === 'partnerMessage') return html`Partner <bdi>${partner ?? ''}</bdi>`;
  if (kind === 'reply') return html`<bdi>${author ?? 'We'}</bdi>`;
  return html`${ownValue(kinds, kind) ?? 'We'}`;
}

/** A text that did not arrive can be sent again once, if the customer can be texted. */
function again(visit: WorkshopVisit, talk: Talk, message: ThreadMessage): SafeHtml | null {
  if (message.isSentAgain) return html`<p class="quiet">Sent again.</p>`;
  if (talk.optedOut || talk.phone === null) return null;
  return againForm(visit, talk.conversationId, { ...message, messageId: message.id });
}
