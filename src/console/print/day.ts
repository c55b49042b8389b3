/** The day on paper: its lanes side by side, with boxes to tick. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { jobFacts } from '#product/bookings/job.ts';
import type { DayBooking } from '#product/bookings/staff/day/store.ts';
import { entryOf } from '../days/day.ts';
import { calledOf } from '../days/marks.ts';
import { attendanceNames, statusMark } from '../frame/marks.ts';
import { phoneLink, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { lanesOf } from '../today/lanes.ts';
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
  const columns = columnsOf(bookings).map(
    (its) =>
      html`<ol class="lane">${its.map((booking) => card(booking, day, jobs.get(booking.id), { workshop }))}</ol>`,
  );
  return html`<section class="sheet" aria-label="The day"><h1>${dateOf(day)} <span class="quiet"><bdi>${workshop.name}</bdi></span></h1>
<p>${count} · ${hoursOf(day)} · ${plan.bays === 1 ? '1 bay' : `${plan.bays} bays`} · as of ${localDateTime(now, workshop.timezone)}</p>
${notesOf(day, workshop)}
${columns.length === 0 ? html`<p>Nothing is booked.</p>` : html`<div class="lanes-${columns.length}">${columns}</div>`}</section>`;
}

/** More than these are too narrow on A4. */
const columnsAtMost = 4;

/** The bookings by lane, each lane by time; on a day of more lanes than a sheet has columns the later ones share them. */
function columnsOf(bookings: readonly DayBooking[]): DayBooking[][] {
  const { laid, lanes } = lanesOf(bookings.map(entryOf));
  const columns = Array.from({ length: Math.min(lanes, columnsAtMost) }, (): DayBooking[] => []);
  for (const { item, lane } of laid)
    if (item.booking !== null) columns[lane % columnsAtMost]?.push(item.booking);
  return columns;
}

function card(
  booking: DayBooking,
  day: SheetDay,
  job: PrintedJob | undefined,
  { workshop }: Place,
): SafeHtml {
  const { model, services, status } = booking;
  const { head, who } = calledOf(booking, workshop);
  const pickup = pickupOf(booking, day);
  const said: readonly (readonly [label: string, text: string])[] = [
    ...(job?.notes ? [['Notes', job.notes] as const] : []),
    ...(job === undefined ? [] : jobFacts(job)),
  ];
  return html`<li><p><strong class="time">${timeOf(booking, day)}</strong> <span class="rego">${head}</span> ${textShown(model ?? '', workshop)} ${status === 'confirmed' ? null : statusMark(status)}</p>
<p>${who} ${phoneLink(job?.phone ?? null, workshop)}</p>
<p>${textShown(services.join(', '), workshop)}</p>
${said.map(([label, text]) => html`<p class="job"><strong>${label}:</strong> ${textShown(inOneLine(text), workshop)}</p> `)}
${pickup === '' ? null : html`<p class="job">Pick-up <strong>${pickup}</strong></p>`}
<ul class="boxes">${boxes(booking)}</ul></li>`;
}

/** Paper has no room for a line each. */
const inOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, '; ');

const ticked = ['here', 'ready', 'collected', 'didNotCome'] as const;

/** A box whose statement is true already is ticked. */
function boxes({ attendance }: DayBooking): SafeHtml[] {
  return ticked.map(
    (state) =>
      html`<li><span class="box" aria-hidden="true">${state === attendance ? '✕' : ''}</span>${attendanceNames[state]}${state === attendance ? html`<span class="unseen">, marked</span>` : null}</li>`,
  );
}
