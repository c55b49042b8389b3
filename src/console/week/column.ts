/** A day of the week, with the load and the bookings of its hours. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDate, localDateTime, localTime } from '#base/values/local-time.ts';
import type { Block } from '#product/availability/blocks/store.ts';
import type { UsedLimit } from '#product/availability/limits/used.ts';
import type { DayBooking, PlacedBooking } from '#product/bookings/staff/day/store.ts';
import { closedBays } from '../days/closing.ts';
import { hourMs, isLate } from '../days/day.ts';
import { calledOf, dayMarks } from '../days/marks.ts';
import { isMovableOn, moveOf, rowMs, timesOf } from '../days/movable.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { level, loadOf } from './load.ts';
import type { Cell, WeekDay } from './read.ts';

/** `Mon 4 Mar` */
export const dayName = ({ plan: { day } }: WeekDay): string =>
  localDate(new Date(day.start), day.timezone).replace(/ \d+$/, '');

const counted = (n: number, one: string) => `${n} ${n === 1 ? one : `${one}s`}`;

export const onDay = ({ bookings }: Pick<WeekDay, 'bookings'>): readonly PlacedBooking[] =>
  bookings.filter(({ status }) => status !== 'cancelled');

/** `12 bookings · 2 to confirm` */
export function countsOf(bookings: readonly PlacedBooking[]): string {
  const pending = bookings.filter(({ status }) => status === 'pending').length;
  return [counted(bookings.length, 'booking'), pending > 0 ? `${pending} to confirm` : '']
    .filter(Boolean)
    .join(' · ');
}

/** `rowOf` returns the page's row of an hour. */
export function column(
  visit: WorkshopVisit,
  day: WeekDay,
  rowOf: (key: string) => number,
  isMovable: boolean,
): SafeHtml {
  const isToday = day.date === day.today;
  const cells = day.cells.map((cell, n) => hour(visit, day, cell, { n, row: rowOf(cell.key), isMovable }));
  return html`<section class="weekday${isToday ? ' today' : ''}${day.plan.open ? '' : ' shut'}" aria-label="${dayName(day)}">${head(visit, day, isToday)}<ol class="cells"${isMovable ? timesOf(day) : null}>${cells}</ol></section>`;
}

function head({ base, workshop }: WorkshopVisit, day: WeekDay, isToday: boolean): SafeHtml {
  const { date, plan, note, blocks, limits, staying } = day;
  const name = dayName(day);
  const hours = plan.open ? `Open ${plan.openingTime} to ${plan.closingTime}` : 'Closed';
  return html`<div class="weekday-top"><h2><a href="${base}/today?date=${date}"${isToday ? html` aria-current="date"` : null}>${name}</a>${isToday ? html` <span class="mark strong">Today</span>` : null}</h2>
<p class="when">${countsOf(onDay(day))}</p>
<p class="when">${hours}${plan.isCustom ? html` <span class="mark">◆ ${plan.note ?? 'Other hours'}</span>` : null}</p>
${note === null || note.text === '' ? null : html`<p class="message"><span aria-hidden="true">✎</span> <span class="unseen">Note: </span>${textShown(note.text, workshop)}</p>`}
<ul class="about">${limits.map(limitShown)}${blocks.map((block) => html`<li><span aria-hidden="true">▨</span> ${closedBays(block)} closed ${spanOf(block, day)}: ${textShown(block.reason, workshop)}</li>`)}${staying.map((booking) => html`<li><a href="${base}/bookings/${booking.id}">Booked since ${localDateTime(booking.date, day.timezone)}</a></li>`)}</ul>
<p><a class="print" href="${base}/print?date=${date}" aria-label="Print ${name}">Print</a></p></div>`;
}

function limitShown({ name, used, limit }: UsedLimit): SafeHtml {
  const isFull = used >= limit;
  const shown = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return html`<li>${isFull ? html`<strong><span aria-hidden="true">■</span> ${shown} ${used} of ${limit}, ${used > limit ? 'too many' : 'full'}</strong>` : `${shown} ${used} of ${limit}`}</li>`;
}

/** A booking that spans several days covers the whole of the days between. */
function spanOf({ from, until }: Block, { plan: { day } }: WeekDay): string {
  const [begins, ends] = [from.getTime() > day.start, until.getTime() < day.end];
  if (!begins && !ends) return 'all day';
  const at = (instant: Date) => localTime(instant, day.timezone);
  return [begins ? `from ${at(from)}` : '', ends ? `until ${at(until)}` : ''].filter(Boolean).join(' ');
}

interface Where {
  readonly n: number;
  readonly row: number;
  readonly isMovable: boolean;
}

function hour(visit: WorkshopVisit, day: WeekDay, cell: Cell, { n, row, isMovable }: Where): SafeHtml {
  const { plan, timezone, date } = day;
  const { at, used, more, isInHours } = cell;
  const over = used > plan.bays ? ' over' : '';
  const label = localTime(new Date(at), timezone);
  const chips = cell.begin.map((each) => chip(visit, day, each, isMovable));
  return html`<li id="h-${at}" class="cell h${row}${isInHours ? '' : ' shut'}" data-row="${(n * hourMs) / rowMs}"><p class="load"><span>${label}</span> <span class="bays${over}">${loadOf(cell, plan.bays)}</span>${level(cell, plan.bays)}</p>${
    chips.length === 0 ? null : html`<ul>${chips}</ul>`
  }${more > 0 ? html`<p><a class="more" href="${visit.base}/today?date=${date}">${more} more<span class="unseen"> at ${label}</span></a></p>` : null}</li>`;
}

function chip(
  { base, workshop }: WorkshopVisit,
  day: WeekDay,
  { booking, from }: { readonly booking: DayBooking; readonly from: number },
  isMovable: boolean,
): SafeHtml {
  const { id, services, date } = booking;
  const { head, who } = calledOf(booking, workshop);
  const late = isLate(booking, day.now);
  const moves = isMovable && isMovableOn(booking, day) ? moveOf(booking, day, { base, workshop }) : null;
  const isOlder = date.getTime() < day.plan.day.start;
  const when = isOlder
    ? `since ${localDate(date, day.timezone).replace(/ \d+$/, '')}`
    : localTime(new Date(from), day.timezone);
  const work = textShown(services.join(', '), workshop);
  return html`<li class="entry ${booking.status} ${booking.attendance}${late ? ' late' : ''}${moves ? ' movable' : ''}"${moves?.data}><a href="${base}/bookings/${id}"${moves?.link}><span class="entry-top"><strong>${head}</strong> <span class="when">${when}</span>${dayMarks(booking, late)}</span><span class="row-detail">${who}${who && work ? ' · ' : null}${work}</span></a>${moves?.handle}</li>`;
}
