/**
 * The week's list for the board in the workshop. Passers-by can read it, so it has no phones and no notes, and a name only where
 * no car is known.
 */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import type { DayBooking } from '#product/bookings/staff/day/store.ts';
import { notGiven } from '../frame/marks.ts';
import { nameShown, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { dateOf, hoursOf, notesOf, pickupOf, timeOf } from './parts.ts';
import type { SheetDay } from './sheet.ts';

const everybody = { seesPhones: false };

export function weekSheet(
  { workshop }: Pick<WorkshopVisit, 'workshop'>,
  days: readonly SheetDay[],
  now: Date,
): SafeHtml {
  return html`<div class="sheet board"><h1>Seven days from ${days[0] && dateOf(days[0])} <span class="quiet"><bdi>${workshop.name}</bdi>, as of ${localDateTime(now, workshop.timezone)}</span></h1>${days.map(
    (day) =>
      html`<section><h2>${dateOf(day)} <span class="quiet">${hoursOf(day)}</span></h2>${notesOf(day, everybody)}${
        day.bookings.length === 0
          ? html`<p class="quiet">Nothing is booked.</p>`
          : html`<ol class="jobs">${day.bookings.map((booking) => row(booking, day))}</ol>`
      }</section>`,
  )}</div>`;
}

function row(booking: DayBooking, day: SheetDay): SafeHtml {
  const { rego, model, customer, services } = booking;
  const pickup = pickupOf(booking, day);
  return html`<li><strong class="time">${timeOf(booking, day)}</strong>
<span><strong class="rego">${rego ?? (customer === null ? notGiven : nameShown(customer, everybody))}</strong>${textShown(model ?? '', everybody)}</span>
<span>${textShown(services.join(', '), everybody)}</span>
<span class="time">${pickup === '' ? null : `by ${pickup}`}</span></li>`;
}
