/** Opening hours as people read them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type Weekday, weekdays } from '#base/values/weekday.ts';
import type { Shop, ShopHours } from './shop.ts';

const short = (weekday: Weekday) => weekday.charAt(0).toUpperCase() + weekday.slice(1, 3);

/** `07:30` → `7:30 am`. */
function clockText(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? 'am' : 'pm'}`;
}

const rangesText = (ranges: readonly ShopHours[]) =>
  ranges.map(({ from, to }) => `${clockText(from)} – ${clockText(to)}`).join(', ') || 'Closed';

export interface HoursRow {
  /** `Mon – Fri`, `Sat` */
  readonly days: string;
  /** `8:00 am – 12:00 pm, 1:00 pm – 5:00 pm`; `Closed`. */
  readonly times: string;
}

/** Days that follow each other and have the same hours share a row. */
export function hoursRows(hours: NonNullable<Shop['hours']>): HoursRow[] {
  const runs: { first: Weekday; last: Weekday; times: string }[] = [];
  for (const weekday of weekdays) {
    const times = rangesText(hours[weekday] ?? []);
    const run = runs.at(-1);
    if (run?.times === times) run.last = weekday;
    else runs.push({ first: weekday, last: weekday, times });
  }
  return runs.map(({ first, last, times }) => ({
    days: first === last ? short(first) : `${short(first)} – ${short(last)}`,
    times,
  }));
}

export function hoursList(hours: NonNullable<Shop['hours']>): SafeHtml {
  return html`<dl class="hours">${hoursRows(hours).map(({ days, times }) => html`<div><dt>${days}</dt><dd>${times.split(', ').map((range) => html`<span>${range}</span> `)}</dd></div>`)}</dl>`;
}
