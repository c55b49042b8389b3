/** Customers that were found, each with links to their page, their booking and a new booking. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { bookingStatuses } from '#product/bookings/schema.ts';
import { type Found, type FoundCustomer, foundAtMost } from '#product/customers/search/find.ts';
import { statusMark } from '../frame/marks.ts';
import { carShown, nameShown, phoneLink } from '../frame/masked.ts';
import { moreLetters } from '../frame/search-turn.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

/** The number of results, in words. */
function countInWords(found: number, isWhole: boolean): string {
  if (found === 0) return isWhole ? 'Nobody is found.' : 'Nobody is found yet.';
  if (found === foundAtMost) return `The first ${found}: type more to find others.`;
  return found === 1 ? '1 customer' : `${found} customers`;
}

/** `more`: a note about the list. */
export function results(
  visit: WorkshopVisit,
  { customers, isWhole }: Found,
  more: SafeHtml | null,
): SafeHtml {
  return html`<section class="results stack" aria-label="Found"><p class="quiet" data-count>${countInWords(customers.length, isWhole)}</p>${isWhole ? null : moreLetters}${more}${
    customers.length === 0 ? null : html`<ul>${customers.map((customer) => result(visit, customer))}</ul>`
  }</section>`;
}

function result(visit: WorkshopVisit, customer: FoundCustomer): SafeHtml {
  const { workshop, base } = visit;
  const { customerId, name, phone, cars, booking } = customer;
  return html`<li><p><a data-result href="${base}/customers/${customerId}">${nameShown(name, workshop)}</a> ${phone === null && workshop.seesPhones ? null : phoneLink(phone ?? '', workshop)}</p>
${cars.length === 0 ? null : html`<p class="quiet">${cars.map((car) => carShown(car, workshop)).join(', ')}</p>`}
${booking === null ? null : bookingOf(visit, booking)}
${visit.may('changeBookings') ? html`<p><a href="${newBookingPath(base, customerId, cars[0]?.rego ?? null)}">New booking</a></p>` : null}</li>`;
}

function bookingOf(
  { base, workshop }: WorkshopVisit,
  { bookingId, code, date, status: its }: NonNullable<FoundCustomer['booking']>,
): SafeHtml {
  const status = bookingStatuses.find((each) => each === its);
  return html`<p><a href="${base}/bookings/${bookingId}">${localDateTime(date, workshop.timezone)}</a> ${status ? statusMark(status) : null} <span class="code quiet">${code}</span></p>`;
}

/** A new quote for the customer, with that car where there is one. */
export function newQuotePath(base: string, customerId: string, rego: string | null): string {
  return `${base}/quotes/new?${new URLSearchParams({ customer: customerId, ...(rego && { rego }) })}`;
}

/** A new booking of the customer, with that car where there is one. */
export function newBookingPath(base: string, customerId: string, rego: string | null): string {
  return `${base}/bookings/new?${new URLSearchParams({ customer: customerId, ...(rego && { rego }) })}`;
}
