/** The details of a quote, for its page and its forms. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { facts, type Html } from '#platform/pages/components.ts';
import { amountText } from '#platform/pages/texts.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import type { QuoteStatus } from '#product/quotes/schema.ts';
import { carShown, emailShown, nameShown, phoneLink, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { OpenedQuote } from './open.ts';

const statuses: Readonly<Record<QuoteStatus, readonly [kind: string, words: string]>> = {
  requested: ['ask', '? To price'],
  quoted: ['', '→ Sent'],
  accepted: ['good', '✓ Accepted'],
  declined: ['bad', '✕ Declined'],
  expired: ['bad', '– Expired'],
};

export function quoteMark(status: QuoteStatus): SafeHtml {
  const [kind, words] = statuses[status];
  return html`<span class="mark ${kind}">${words}</span>`;
}

/** `just now`, `25 min`, `7 h`, `3 days`: how long something has waited. */
export function waitInWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}

/** An instant in words and exactly. */
export function sinceText(at: Date, now: Date, timezone: string): SafeHtml {
  const exactly = localDateTime(at, timezone);
  return html`<strong>${waitInWords(now.getTime() - at.getTime())}</strong> <span class="quiet">since ${exactly}</span>`;
}

export function quoteFacts(visit: WorkshopVisit, { quote, beside }: OpenedQuote): SafeHtml {
  const { context, workshop, base } = visit;
  const { customer, car, status, services, notes, total, validUntil, bookingId } = quote;
  const at = (instant: string | Date) => localDateTime(new Date(instant), workshop.timezone);
  const asked = new Date(quote.createdAt);
  const name = nameShown(customer.name, workshop);
  const all: readonly (readonly [string, Html])[] = [
    [
      'Customer',
      beside.erased
        ? html`<span class="quiet">Erased</span>`
        : html`<a href="${base}/customers/${quote.customerId}">${name}</a>`,
    ],
    ...(beside.erased
      ? []
      : ([
          ['Mobile', phoneLink(customer.phone, workshop)],
          ['E-mail', emailShown(customer.email, workshop)],
        ] as const)),
    ['Car', carShown(car, workshop)],
    ['Wanted', textShown(titlesOf(services).join(', '), workshop)],
    ['Notes', notes === null ? null : html`<span class="message">${textShown(notes, workshop)}</span>`],
    ['From', quote.partner ?? 'You: it is your own'],
    status === 'requested'
      ? ['Waits', sinceText(asked, context.clock.now(), workshop.timezone)]
      : ['Asked', at(asked)],
    ['Total', total === null ? null : amountText(total, workshop.country)],
    ['Valid until', validUntil === null ? null : at(validUntil)],
    [
      'Booking',
      bookingId === null
        ? null
        : html`<a href="${base}/bookings/${bookingId}">${beside.bookedFor === null ? 'The booking' : at(beside.bookedFor)}</a>`,
    ],
    [
      'Their page',
      quote.url === null
        ? null
        : html`<a href="${quote.url}" target="_blank" rel="noopener">${quote.url.replace(/^https?:\/\//, '')}</a>`,
    ],
    ['Quote', html`<span class="code">${quote.code}</span>`],
  ];
  return facts(all);
}
