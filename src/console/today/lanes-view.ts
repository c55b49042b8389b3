/** The hours of a day with their bookings: a list on phones, lanes of time on wide screens. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localTime } from '#base/values/local-time.ts';
import { type Day, type Entry, isLate } from '../days/day.ts';
import { dayMarks } from '../days/marks.ts';
import { isMovableOn, moveOf, rowMs, timesOf } from '../days/movable.ts';
import { notGiven } from '../frame/marks.ts';
import { nameShown, textShown } from '../frame/masked.ts';
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

/** `isMovable`: bookings can be dragged to another time, which fills in the form of Move. */
export function drawLanes(day: Day, { base, workshop }: Place, isMovable: boolean): Drawn {
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
    html: html`<li class="hour ${place(at, at + 4 * rowMs, null)}"><span>${time(at)}</span> <span class="bays${used > plan.bays ? ' over' : ''}">${used} of ${plan.bays} bays</span></li>`,
  }));
  if (now.getTime() >= from && now.getTime() < until) {
    const at = now.getTime();
    items.push({
      at,
      order: 1,
      html: html`<li class="now ${place(at, at, null)}"><span>Now, ${time(at)}</span></li>`,
    });
  }
  for (const { item, lane } of laid) {
    if (item.until <= from || item.from >= until) continue;
    const where = place(item.from, item.until, lane);
    items.push({ at: item.from, order: 2, html: entry(item, where, day, { base, workshop }, isMovable) });
  }
  items.sort((one, other) => one.at - other.at || one.order - other.order);
  return {
    list: html`<ol class="lanes"${isMovable ? timesOf(day) : null}>${items.map((item) => item.html)}</ol>`,
    rules: `@media(min-width:48rem){.lanes{grid-template-columns:7.5rem repeat(${Math.max(1, lanes)},minmax(8.5rem,1fr))}${[...rows].join('')}}`,
  };
}

function entry(
  { booking, block, from, until }: Entry,
  where: string,
  day: Day,
  { base, workshop }: Place,
  isMovable: boolean,
): SafeHtml {
  const time = (at: number) => localTime(new Date(at), day.timezone);
  if (booking === null)
    return html`<li class="entry block ${where}"><span class="when">${time(from)} – ${time(until)}</span><strong>${block?.bays === null ? 'All bays closed' : `Closed: ${block?.bays === 1 ? 'a bay' : `${block?.bays} bays`}`}</strong><span class="row-detail">${textShown(block?.reason ?? '', workshop)}</span></li>`;
  const { id, rego, customer, services, model } = booking;
  const late = isLate(booking, day.now);
  const moves = isMovable && isMovableOn(booking, day) ? moveOf(booking, day, { base, workshop }) : null;
  return html`<li class="entry ${booking.status} ${booking.attendance}${late ? ' late' : ''}${until - from < 45 * 60_000 ? ' short' : ''} ${where}${moves ? ' movable' : ''}"${moves?.data}><a href="${base}/bookings/${id}"${moves?.link}><span class="entry-top"><strong>${rego ?? notGiven}</strong> <span class="when">${time(from)} – ${time(until)}</span>${dayMarks(booking, late)}</span>${nameShown(customer, workshop)}<span class="row-detail">${[textShown(model ?? '', workshop), textShown(services.join(', '), workshop)].filter(Boolean).join(' · ')}</span></a>${moves?.handle}</li>`;
}
