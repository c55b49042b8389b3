/** The page of a day. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { addDays } from '#base/values/local-day.ts';
import { localDate, localDateTime, localTime } from '#base/values/local-time.ts';
import type { DayBooking } from '#product/bookings/staff/day/store.ts';
import { type Day, dayPath, isLate } from '../days/day.ts';
import { calledOf } from '../days/marks.ts';
import { proposal } from '../days/movable.ts';
import { toolDone } from '../days/tool-routes.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { scriptPath } from '../frame/files.ts';
import { attendanceMark } from '../frame/marks.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { countedAtMost, type Waiting } from '../waiting/store.ts';
import { drawLanes } from './lanes-view.ts';

export interface Around {
  /** The day's note, and closing bays. */
  readonly tools: SafeHtml;
  /** The refusal of a form of the day. */
  readonly refused: SafeHtml | null;
  /** The action just done, from the address. */
  readonly done: string | undefined;
}

export function dayPage(
  visit: WorkshopVisit,
  day: Day,
  waiting: Waiting,
  { tools, refused, done }: Around,
): ConsolePage {
  const { base } = visit;
  const { date, today, timezone, plan } = day;
  const isMovable = visit.may('changeBookings');
  const { list, rules } = drawLanes(day, visit, { isMovable, isHandled: visit.may('handleCars') });
  const bookings = day.entries.flatMap(({ booking }) => booking ?? []);
  const late = bookings.filter((booking) => isLate(booking, day.now));
  const isToday = date === today;
  const named = localDate(new Date(plan.day.start), timezone);
  return {
    title: isToday ? 'Today' : named,
    current: 'Today',
    isWide: true,
    live: ['booking', 'attendance', 'day', 'quote', 'call', 'message', 'customer', 'settings', 'clock'],
    said: toolDone({ ...(done && { done }) }),
    rules,
    ...(isMovable ? { scripts: [scriptPath('day.mjs')] } : {}),
    main: html`${refused}<div class="head"><h1>${isToday ? html`Today <span class="quiet">${named}</span>` : named}</h1>${dayLinks(base, date, today)}</div>
<p>${summary(day, bookings, late)}</p>
<div class="day"><div class="stack">${waits(visit, waiting)}${lateOnes(visit, late, timezone)}</div>
<section aria-label="The day" tabindex="0" class="scroll">${
      day.until > day.from ? list : nothingDrawn(visit, day)
    }</section>
<div class="stack">${pickUps(visit, bookings, timezone)}${tools}${cancelled(visit, day)}</div></div>${isMovable ? proposal : null}`,
  };
}

function dayLinks(base: string, date: string, today: string): SafeHtml {
  const to = (day: string) => dayPath(base, { date: day, today });
  return html`<form class="days" action="${base}/today"><a class="button quiet" href="${to(addDays(date, -1))}" aria-label="The day before">‹</a>${date === today ? null : html`<a class="button quiet" href="${base}/today">Back to today</a>`}<a class="button quiet" href="${to(addDays(date, 1))}" aria-label="The day after">›</a><label class="unseen" for="date">Date</label><input id="date" name="date" type="date" value="${date}"><button class="button quiet">Show</button><a class="button quiet" href="${base}/print?date=${date}">Print</a></form>`;
}

const counted = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

function summary({ plan }: Day, bookings: readonly DayBooking[], late: readonly DayBooking[]): string {
  const pending = bookings.filter(({ status }) => status === 'pending').length;
  const here = bookings.filter(({ attendance }) => attendance === 'here').length;
  return [
    counted(bookings.length, 'booking', 'bookings'),
    late.length > 0 ? `${late.length} late` : '',
    here > 0 ? `${here} here` : '',
    pending > 0 ? `${pending} to confirm` : '',
    plan.open ? `open ${plan.openingTime} to ${plan.closingTime}` : 'closed',
    plan.note ?? '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function waits({ base, ...visit }: WorkshopVisit, waiting: Waiting): SafeHtml | null {
  const links = [
    ['Bookings to confirm', waiting.pending, 'bookings?state=pending', 'seeBookings'],
    ['Answers to read', waiting.answers, 'inbox', 'seeCustomers'],
    ['Quotes to price', waiting.quotes, 'quotes', 'seeQuotes'],
    ['Missed calls', waiting.calls, 'calls', 'seeQuotes'],
    ['Texts that failed', waiting.failed, 'inbox?filter=failed', 'seeCustomers'],
  ] as const;
  const shown = links.filter(([, count, , permission]) => count > 0 && visit.may(permission));
  return html`<section class="card"><h2>What waits</h2>${
    shown.length === 0
      ? html`<p class="quiet">Nothing: all is done.</p>`
      : html`<ul class="counts">${shown.map(([name, count, path]) => html`<li><a href="${base}/${path}"><span>${name}</span> <strong>${count >= countedAtMost ? `${countedAtMost - 1}+` : count}</strong></a></li>`)}</ul>`
  }</section>`;
}

function lateOnes(visit: WorkshopVisit, late: readonly DayBooking[], timezone: string): SafeHtml | null {
  if (late.length === 0) return null;
  return html`<section class="card"><h2>Late</h2>${shortList(visit, late, ({ date }) => localTime(date, timezone))}</section>`;
}

function pickUps(visit: WorkshopVisit, bookings: readonly DayBooking[], timezone: string): SafeHtml | null {
  const at = ({ pickupTime }: DayBooking) => pickupTime?.getTime() ?? 0;
  const due = bookings
    .filter(({ pickupTime, attendance }) => pickupTime !== null && attendance !== 'collected')
    .toSorted((one, other) => at(one) - at(other));
  if (due.length === 0) return null;
  const shown = (booking: DayBooking) => localTime(booking.pickupTime ?? booking.date, timezone);
  return html`<section class="card"><h2>Pick-ups</h2>${shortList(visit, due, shown)}</section>`;
}

function shortList(
  { base, workshop }: WorkshopVisit,
  of: readonly DayBooking[],
  time: (booking: DayBooking) => string,
): SafeHtml {
  const named = (booking: DayBooking) => {
    const { head, who } = calledOf(booking, workshop);
    return html`${time(booking)} <strong>${head}</strong> ${who}`;
  };
  return html`<ul class="counts">${of.slice(0, 20).map((booking) => html`<li><a href="${base}/bookings/${booking.id}"><span>${named(booking)}</span> ${booking.attendance === 'expected' ? null : attendanceMark(booking.attendance)}</a></li>`)}</ul>`;
}

/** A day without opening hours and bookings. */
function nothingDrawn(visit: WorkshopVisit, { plan, staying, timezone }: Day): SafeHtml {
  const since = ({ date }: DayBooking) => `since ${localDateTime(date, timezone)}`;
  const there = staying.length > 0 ? 'Closed, with cars of earlier days.' : 'Closed, and nothing is booked.';
  return html`<div class="card"><p>${plan.note ?? there}</p>${staying.length > 0 ? shortList(visit, staying, since) : null}</div>`;
}

function cancelled(visit: WorkshopVisit, { cancelled: all, timezone }: Day): SafeHtml | null {
  if (all.length === 0) return null;
  return html`<details class="card"><summary>${counted(all.length, 'cancelled booking', 'cancelled bookings')}</summary>${shortList(visit, all, ({ date }) => localTime(date, timezone))}</details>`;
}
