/** A customer's history as cards: bookings, cars, messages, quotes, reminders and calls. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDate, localDateTime } from '#base/values/local-time.ts';
import { button, buttons, type Html, hidden, linkButton } from '#platform/pages/components.ts';
import { amountText } from '#platform/pages/texts.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { newBookingPath } from '../../find/view.ts';
import { changeForm } from '../../frame/form.ts';
import { attendanceMark, notGiven, statusMark } from '../../frame/marks.ts';
import { carShown, textShown } from '../../frame/masked.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { saidAtMost } from '../../said/store.ts';
import { saidList } from '../../said/view.ts';
import { pathOf } from '../open.ts';
import { type History, listedAtMost, pagedBy } from './read.ts';
import type { CarHistory } from './store.ts';

/** Joins them with commas. */
const listed = (parts: readonly Html[]): Html[] =>
  parts.filter(Boolean).map((part, n) => (n === 0 ? part : html`, ${part}`));

const counted = (title: string, count: number) => (count === 0 ? title : `${title} (${count})`);

/** The link to older ones; `last`: the last one on the page. */
function older(visit: WorkshopVisit, by: keyof typeof pagedBy, last: string | undefined): SafeHtml | null {
  if (last === undefined) return null;
  const asked = new URLSearchParams({ ...visit.query, [pagedBy[by]]: last });
  asked.delete('done');
  const label = by === 'bookings' ? 'Older bookings' : 'Older messages';
  return html`<p class="buttons">${linkButton(label, `${pathOf(visit)}?${asked}#${by}`, 'quiet')}</p>`;
}

export function bookingsCard(visit: WorkshopVisit, { bookings, held }: History): SafeHtml {
  const { workshop, base } = visit;
  const shown = bookings.slice(0, listedAtMost.bookings);
  const items = shown.map(
    ({ id, date, status, services, car, attendance, partner }) =>
      html`<li><a href="${base}/bookings/${id}"><span class="row-title">${localDateTime(new Date(date), workshop.timezone)}</span><span class="row-value">${statusMark(status)}${attendance === 'expected' ? null : html` ${attendanceMark(attendance)}`}</span><span class="row-detail">${[car.rego ?? notGiven, textShown(titlesOf(services).join(', '), workshop), partner ?? 'own'].filter(Boolean).join(', ')}</span></a></li>`,
  );
  const last = bookings.length > shown.length ? shown.at(-1)?.id : undefined;
  return html`<section class="stack" id="bookings"><h2>${counted('Bookings', held.bookings)}</h2>${items.length === 0 ? html`<p class="quiet">None.</p>` : html`<ul class="rows">${items}</ul>`}${older(visit, 'bookings', last)}</section>`;
}

export function saidCard(visit: WorkshopVisit, { said, held, customer, conversationId }: History): SafeHtml {
  const mayMessage = visit.may('wordTexts') && customer.phone !== null;
  const last = said.length < saidAtMost ? undefined : said.at(-1)?.id;
  return html`<section class="card" id="messages"><div class="head"><h2>${counted('Said and sent', held.messages)}</h2>${buttons(conversationId === null ? null : linkButton('Conversation', `${visit.base}/inbox/${conversationId}`, 'quiet'), mayMessage ? linkButton('Message', `${pathOf(visit)}/message`, 'quiet') : null)}</div>${saidList(said, visit.workshop)}${older(visit, 'messages', last)}</section>`;
}

/** In their order, those together that differ in punctuation alone. */
function alike(cars: readonly CarHistory[]): CarHistory[][] {
  return [...Map.groupBy(cars, ({ plain, carId }) => plain ?? carId).values()];
}

export function carsCard(visit: WorkshopVisit, { customer, cars, held }: History): SafeHtml | null {
  if (cars.length === 0) return null;
  const { workshop, base } = visit;
  const mayBook = visit.may('changeBookings') && customer.erasedAt === null && cars.length > 1;
  const mayCorrect = visit.may('correctCustomers') && customer.erasedAt === null;
  const itemOf = ({ bookings, lastSeenAt, plain: _, regos, ...car }: CarHistory) => {
    const seen =
      lastSeenAt === null ? 'not seen yet' : `last seen ${localDate(lastSeenAt, workshop.timezone)}`;
    const about = `${bookings === 1 ? '1 booking' : `${bookings} bookings`}, ${seen}`;
    const book = html` <a href="${newBookingPath(base, customer.customerId, car.rego)}" aria-label="New booking for ${car.rego ?? ''}">New booking</a>`;
    const correct = html` <a href="${base}/customers/${customer.customerId}/car?car=${car.carId}" aria-label="Correct ${car.rego ?? 'the car'}">Correct</a>`;
    const others = [...new Set(regos)].filter((rego) => rego !== car.rego).toSorted();
    const also = others.length === 0 ? null : html` <span class="quiet">also ${others.join(', ')}</span>`;
    return html`<li>${carShown(car, workshop)}${car.badge === null ? null : ` ${textShown(car.badge, workshop)}`}${also}${mayBook && car.rego !== null ? book : null}${mayCorrect ? correct : null}<br><span class="quiet">${about}</span></li>`;
  };
  const items = alike(cars).map((its) =>
    its.length === 1
      ? its.map(itemOf)
      : html`<li class="stack"><p class="quiet">These differ in punctuation alone:</p><ul class="stack">${its.map(itemOf)}</ul>${mayCorrect ? changeForm({ action: `${base}/customers/${customer.customerId}/same-car`, version: customer.version, body: html`${hidden('car', its[0]?.carId ?? '')}${buttons(button('Same car', 'quiet'))}` }) : null}</li>`,
  );
  const more = held.cars - cars.length;
  return html`<section class="card"><h2>${counted('Cars', held.cars)}</h2><ul class="stack">${items}</ul>${more > 0 ? html`<p class="quiet">And ${more} more.</p>` : null}</section>`;
}

/** Quotes, reminders and calls whose pages the role may open. */
export function otherCards({ workshop, base }: WorkshopVisit, history: History): SafeHtml[] {
  const at = (instant: Date | string) => localDate(new Date(instant), workshop.timezone);
  const { quotes, reminders, calls, held } = history;
  const lists: readonly (readonly [title: string, count: number, lines: readonly (readonly Html[])[]])[] = [
    [
      'Quotes',
      held.quotes,
      quotes.map(({ id, createdAt, status, total, partner }) => [
        html`<a href="${base}/quotes/${id}">${at(createdAt)}</a>`,
        ...[status, total === null ? null : amountText(total, workshop.country), partner],
      ]),
    ],
    [
      'Reminders',
      held.reminders,
      reminders.map(({ id, dueDate, status, partner }) => [
        html`<a href="${base}/reminders/${id}">${at(dueDate)}</a>`,
        ...[status, partner],
      ]),
    ],
    [
      'Calls',
      held.calls,
      calls.map(({ id, calledAt, outcome, durationSeconds, partner }) => [
        html`<a href="${base}/calls/${id}">${at(calledAt)}</a>`,
        ...[outcome, durationSeconds === null ? null : `${durationSeconds} s`, partner],
      ]),
    ],
  ];
  return lists
    .filter(([, , lines]) => lines.length > 0)
    .map(
      ([title, count, lines]) =>
        html`<section class="card"><h2>${counted(title, count)}</h2><ul class="stack">${lines.map((parts) => html`<li>${listed(parts)}</li>`)}</ul>${count > lines.length ? html`<p class="quiet">The latest ${lines.length}.</p>` : null}</section>`,
    );
}
