/** The hours of a day with their bookings: a list on phones, lanes of time on wide screens. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localTime } from '#base/values/local-time.ts';
import { mostAtOnce } from '../days/at-once.ts';
import { type Day, dayPath, type Entry, isLate } from '../days/day.ts';
import { attendanceForm, calledOf, dayMarks } from '../days/marks.ts';
import { isMovableOn, isOpenAt, moveOf, rowMs, timesOf } from '../days/movable.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { lanesOf } from './lanes.ts';

export interface Drawn {
  readonly list: SafeHtml;
  /** The position of each entry, as CSS. */
  readonly rules: string;
}

type Place = Pick<WorkshopVisit, 'base' | 'workshop'>;

interface Item {
  readonly at: number;
  /** An hour comes before the bookings that begin with it. */
  readonly order: number;
  readonly html: SafeHtml;
}

export interface May {
  /** Bookings are dragged to another time, which fills in the form of Move, and free places lead to New booking. */
  readonly isMovable: boolean;
  /** Attendance is marked. */
  readonly isHandled: boolean;
}

export function drawLanes(day: Day, { base, workshop }: Place, may: May): Drawn {
  const { isMovable } = may;
  const { from, until, hours, entries, now, timezone, plan } = day;
  const { laid, lanes } = lanesOf(entries);
  const rowOf = (at: number) => Math.floor((Math.min(Math.max(at, from), until) - from) / rowMs) + 1;
  const rows = new Set<string>();
  const place = (start: number, end: number, lane: number | null) => {
    const row = rowOf(start);
    const span = Math.max(1, Math.ceil((Math.min(end, until) - from) / rowMs) + 1 - row);
    const name = `r${row}-${span}-${lane ?? 'all'}`;
    const column = lane === null ? '1/-1' : String(lane + 2);
    rows.add(`.${name}{grid-row:${row}/span ${span};grid-column:${column}}`);
    return name;
  };
  const time = (at: number) => localTime(new Date(at), timezone);
  const items: Item[] = hours.map(({ at, used }) => ({
    ...{ at, order: 0 },
    html: html`<li class="hour ${place(at, at + 4 * rowMs, null)}"><span>${time(at)}</span> <span class="bays${used > plan.bays ? ' over' : ''}">${used} of ${plan.bays} bays</span>${isMovable ? freePlaces(day, at, base) : null}</li>`,
  }));
  if (now.getTime() >= from && now.getTime() < until) {
    const at = now.getTime();
    items.push({
      at,
      order: 1,
      html: html`<li class="now ${place(at, at, null)}"><span><span class="whole">Now, </span>${time(at).replace(/ .*/, '')}<span class="whole">${time(at).replace(/^[^ ]*/, '')}</span></span></li>`,
    });
  }
  for (const { item, lane } of laid) {
    if (item.until <= from || item.from >= until) continue;
    const where = place(item.from, item.until, lane);
    items.push({ at: item.from, order: 2, html: entry(item, where, day, { base, workshop }, may) });
  }
  items.sort((one, other) => one.at - other.at || one.order - other.order);
  return {
    list: html`<ol class="lanes"${isMovable ? timesOf(day) : null}>${items.map((item) => item.html)}</ol>`,
    rules: `@media(min-width:48rem){.lanes{grid-template-columns:7.5rem repeat(${Math.max(1, lanes)},minmax(8.5rem,1fr))${isMovable ? ' 2.5rem' : ''}}${[...rows].join('')}}`,
  };
}

const halfMs = 30 * 60_000;

/** The half hours of the hour at `at` in which a bay is free and which are not over, each a link to New booking. */
function freePlaces(day: Day, at: number, base: string): SafeHtml[] {
  const keeping = day.entries.filter(({ weight }) => weight > 0);
  return [at, at + halfMs].flatMap((from) => {
    const until = from + halfMs;
    const isFree = isOpenAt(day, from) && mostAtOnce(keeping, from, until) < day.plan.bays;
    if (!isFree || until <= day.now.getTime()) return [];
    const query = new URLSearchParams({ at: new Date(from).toISOString() });
    return html`<a class="free${from === at ? '' : ' half'}" href="${base}/bookings/new?${String(query)}"><span aria-hidden="true">+</span><span class="at">Free place at ${localTime(new Date(from), day.timezone)}</span></a>`;
  });
}

function entry(
  { booking, block, from, until }: Entry,
  where: string,
  day: Day,
  { base, workshop }: Place,
  { isMovable, isHandled }: May,
): SafeHtml {
  const time = (at: number) => localTime(new Date(at), day.timezone);
  if (booking === null)
    return html`<li class="entry block ${where}"><span class="when">${time(from)} – ${time(until)}</span><strong>${block?.bays === null ? 'All bays closed' : `Closed: ${block?.bays === 1 ? 'a bay' : `${block?.bays} bays`}`}</strong><span class="row-detail">${textShown(block?.reason ?? '', workshop)}</span></li>`;
  const { id, services, model } = booking;
  const { head, who } = calledOf(booking, workshop);
  const late = isLate(booking, day.now);
  const moves = isMovable && isMovableOn(booking, day) ? moveOf(booking, day, { base, workshop }) : null;
  return html`<li class="entry ${booking.status} ${booking.attendance}${late ? ' late' : ''}${until - from < 45 * 60_000 ? ' short' : ''} ${where}${moves ? ' movable' : ''}"${moves?.data} id="c-${id}"><a href="${base}/bookings/${id}"${moves?.link}><span class="entry-top"><strong>${head}</strong> <span class="who">${who}</span></span> <span class="entry-top"><span class="when">${time(from)} – ${time(until)}</span>${dayMarks(booking, late)}</span> <span class="row-detail">${[textShown(model ?? '', workshop), textShown(services.join(', '), workshop)].filter(Boolean).join(' · ')}</span></a>${moves?.handle}${isHandled ? attendanceForm(booking, { base, workshop }, dayPath(base, day)) : null}</li>`;
}
