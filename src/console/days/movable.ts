/** Attributes for the script that moves bookings: `files/day.mjs` only fills in the form of Move. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localTime } from '#base/values/local-time.ts';
import { holds } from '#product/availability/day.ts';
import type { DayBooking, PlacedBooking } from '#product/bookings/staff/day/store.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { Day } from './day.ts';
import { calledText } from './marks.ts';

/** The length of a row of a day, to which times are rounded. */
export const rowMs = 15 * 60_000;

type Place = Pick<WorkshopVisit, 'base' | 'workshop'>;

/** The booking is not over, and it begins on this day. */
export function isMovableOn({ status, date }: PlacedBooking, { plan }: Pick<Day, 'plan'>): boolean {
  const isOn = status === 'pending' || status === 'confirmed';
  return isOn && date.getTime() >= plan.day.start && date.getTime() < plan.day.end;
}

/** Within the hours, and a bay at least is not closed. */
export function isOpenAt({ plan, blocks }: Pick<Day, 'plan' | 'blocks'>, at: number): boolean {
  const closed = blocks.filter(({ bays }) => bays === null || bays >= plan.bays);
  return (
    plan.spans.some((span) => holds(span, at)) &&
    !closed.some((block) => holds({ start: block.from.getTime(), end: block.until.getTime() }, at))
  );
}

type TimesOf = Pick<Day, 'from' | 'until' | 'date' | 'timezone' | 'plan' | 'blocks'>;

/** The workshop's clock time of each row, and `1` for the rows at which it is open: a row is an instant, so a time that clocks skip has no row. */
export function timesOf({ from, until, date, timezone, ...day }: TimesOf): SafeHtml {
  const rows = Array.from({ length: Math.ceil((until - from) / rowMs) }, (_, n) => from + n * rowMs);
  const times = rows.map((at) => localTime(new Date(at), timezone)).join('|');
  const open = rows.map((at) => (isOpenAt(day, at) ? '1' : '0')).join('');
  return html` data-date="${date}" data-from-ms="${from}" data-row-ms="${rowMs}" data-times="${times}" data-open="${open}"`;
}

export interface Move {
  /** Attributes of the entry, and of the link to the booking. */
  readonly data: SafeHtml;
  readonly link: SafeHtml;
  /** The handle that fingers drag: elsewhere they scroll the page. It is a link to the form for browsers without scripts. */
  readonly handle: SafeHtml;
}

export function moveOf(
  booking: DayBooking,
  { timezone }: Pick<Day, 'timezone'>,
  { base, workshop }: Place,
): Move {
  const { id, date } = booking;
  const name = calledText(booking, workshop);
  const path = `${base}/bookings/${id}/move`;
  return {
    data: html` data-id="${id}" data-name="${name}" data-at-ms="${date.getTime()}" data-time="${localTime(date, timezone)}"`,
    link: html` id="b-${id}" draggable="false" aria-describedby="move-keys" aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight"`,
    handle: html`<a class="handle" href="${path}" tabindex="-1" draggable="false" aria-label="Another time" aria-describedby="b-${id}"><span aria-hidden="true">⠿</span></a>`,
  };
}

/** The proposal, and buttons for other times without dragging; hidden until there is a proposal. */
export const proposal = html`<p id="move-keys" hidden>Alt and an arrow key proposes another time: up or down by 15 minutes, left or right by a day. Enter then opens the form, Escape takes it back.</p>
<div id="proposal" class="proposal" role="group" aria-label="Another time" hidden><p></p><p class="buttons"><button class="button quiet" type="button" data-days="-1">Day before</button><button class="button quiet" type="button" data-rows="-1">15 min earlier</button><button class="button quiet" type="button" data-rows="1">15 min later</button><button class="button quiet" type="button" data-days="1">Day after</button><a class="button" href="">Open the form</a><button class="button quiet" type="button" data-keep>Keep it</button></p></div>`;
