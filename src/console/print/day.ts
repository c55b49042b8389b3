/** The day on paper: bookings by time, with boxes to tick. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { jobFacts } from '#product/bookings/job.ts';
import type { DayBooking } from '#product/bookings/staff/day/store.ts';
import { attendanceNames, notGiven, statusMark } from '../frame/marks.ts';
import { nameShown, phoneLink, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { dateOf, hoursOf, notesOf, pickupOf, timeOf } from './parts.ts';
import type { SheetDay } from './sheet.ts';
import type { PrintedJob } from './store.ts';

type Place = Pick<WorkshopVisit, 'workshop'>;

/** `jobs` by the booking's id. */
export function daySheet(
  { workshop }: Place,
  day: SheetDay,
  jobs: ReadonlyMap<string, PrintedJob>,
  now: Date,
): SafeHtml {
  const { bookings, plan } = day;
  const count = bookings.length === 1 ? '1 booking' : `${bookings.length} bookings`;
  const rows = bookings.map((booking) => row(booking, day, jobs.get(booking.id), { workshop }));
  return html`<section class="sheet" aria-label="The day"><h1>${dateOf(day)} <span class="quiet"><bdi>${workshop.name}</bdi></span></h1>
<p>${count} · ${hoursOf(day)} · ${plan.bays === 1 ? '1 bay' : `${plan.bays} bays`} · as of ${localDateTime(now, workshop.timezone)}</p>
${notesOf(day, workshop)}
${rows.length === 0 ? html`<p>Nothing is booked.</p>` : html`<table><thead><tr>${['Time', 'Car', 'Customer', 'Work', 'Pick-up', 'Attendance'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`}</section>`;
}

function row(booking: DayBooking, day: SheetDay, job: PrintedJob | undefined, { workshop }: Place): SafeHtml {
  const { rego, model, customer, services, status } = booking;
  return html`<tr><td class="time"><strong>${timeOf(booking, day)}</strong>${status === 'confirmed' ? null : html`<br>${statusMark(status)}`}</td>
<td><span class="rego">${rego ?? notGiven}</span>${textShown(model ?? '', workshop)}</td>
<td>${nameShown(customer, workshop)}<br>${phoneLink(job?.phone ?? null, workshop)}</td>
<td>${textShown(services.join(', '), workshop)}${job?.notes ? html`<p class="message job">${textShown(job.notes, workshop)}</p>` : null}${job && jobFacts(job).map(([label, text]) => html`<p class="message job"><strong>${label}:</strong> ${textShown(text, workshop)}</p>`)}</td>
<td class="time">${pickupOf(booking, day)}</td>
<td><ul class="boxes">${boxes(booking)}</ul></td></tr>`;
}

const ticked = ['here', 'ready', 'collected', 'didNotCome'] as const;

/** A box whose statement is true already is ticked. */
function boxes({ attendance }: DayBooking): SafeHtml[] {
  return ticked.map(
    (state) =>
      html`<li><span class="box" aria-hidden="true">${state === attendance ? '✕' : ''}</span>${attendanceNames[state]}${state === attendance ? html`<span class="unseen">, marked</span>` : null}</li>`,
  );
}
