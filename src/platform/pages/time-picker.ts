/** Choosing a day and a time by links, without a script: a month, the times of one of its days, and a field for any other date. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localTime } from '#base/values/local-time.ts';
import { button, hidden, notice } from './components.ts';
import {
  type Bookable,
  hasTime,
  lastShownOf,
  monthAfter,
  monthBefore,
  type PickerDay,
  weeksOf,
} from './month.ts';

/** The choice that a link of the picker makes. */
export interface PickerChoice {
  /** A date of the displayed month. */
  readonly from: string;
  /** The day whose times are displayed. */
  readonly day: string;
  /** The chosen instant. */
  readonly time: string;
}

export interface PickerOptions extends Bookable {
  /** The days of a month that can be booked (`readMonth`). */
  readonly days: readonly PickerDay[];
  /** IANA name. */
  readonly timezone: string;
  /** The day whose times are displayed; undefined: the first with a free time. */
  readonly day?: string | undefined;
  /** Whether the visitor has chosen a month or a day; else the first free time was searched for. */
  readonly isAsked: boolean;
  readonly hrefOf: (choice: Partial<PickerChoice>) => string;
}

export function timePicker(options: PickerOptions): SafeHtml {
  const { days, day, today, lastDate } = options;
  const shown = days.find(({ date }) => date === day) ?? days.find(hasTime);
  const isOutside = day !== undefined && (day < today || day > lastDate);
  return html`<div class="picker">
<div class="choose-day">${isOutside ? notice('info', `Times can be booked from ${withYear(today)} to ${withYear(lastDate)}.`) : null}
${nextFree(options)}
${monthTable(options, shown)}
${dateForm(options)}</div>
<div class="choose-time" id="times">${shown && hasTime(shown) ? timesOf(shown, options) : nothingFree(shown, options)}</div>
</div>`;
}

/** The first free time, or the link to it. */
function nextFree({ days, isAsked, hrefOf, timezone }: PickerOptions): SafeHtml | null {
  if (isAsked) return html`<p><a href="${hrefOf({})}" data-swap="next">Show the next free time</a></p>`;
  const first = days.find(hasTime);
  const [slot] = first?.slots ?? [];
  if (first === undefined || slot === undefined) return null;
  return html`<p>Next free: <a href="${hrefOf({ day: first.date, time: slot.time })}" data-swap>${shortly(first.date)}, ${timeAt(slot.time, timezone)}</a></p>`;
}

function monthTable(
  { days, today, lastDate, hrefOf }: PickerOptions,
  shown: PickerDay | undefined,
): SafeHtml {
  const month = days[0]?.date ?? today;
  const [before, after] = [monthBefore(month), monthAfter(month)];
  const turn = (to: string, isThere: boolean, sign: string, name: string, label: string) =>
    isThere
      ? html`<a class="turn" href="${hrefOf({ from: to })}" data-swap="${name}" aria-label="${label}">${sign}</a>`
      : html`<span class="turn" aria-hidden="true">${sign}</span>`;
  const byDate = new Map(days.map((each) => [each.date, each]));
  const cell = (date: string | null) =>
    html`<td>${date === null ? null : dayOf(date, month, byDate.get(date), date === shown?.date, hrefOf({ day: date }))}</td>`;
  return html`<div class="month-head"><h2 id="month">${shownName(month, today)}</h2><p class="pages">
${turn(before, month.slice(0, 7) > today.slice(0, 7), '‹', 'earlier', 'Earlier month')}
${turn(after, after <= lastDate, '›', 'later', 'Later month')}</p></div>
<table class="month" aria-labelledby="month"><thead><tr>${weekdays.map(({ short, long }) => html`<th scope="col"><abbr title="${long}">${short}</abbr></th>`)}</tr></thead>
<tbody>${weeksOf(month, today).map((week) => html`<tr>${week.map(cell)}</tr>`)}</tbody></table>`;
}

/** A day of the grid, which leads to its times when it has some. The first of the month after `month` shows that month's name. */
function dayOf(
  date: string,
  month: string,
  day: PickerDay | undefined,
  isShown: boolean,
  href: string,
): SafeHtml {
  const { day: number } = Temporal.PlainDate.from(date);
  const isNext = number === 1 && !date.startsWith(month.slice(0, 7));
  const above = isNext
    ? html`<span class="next-month" aria-hidden="true">${named(date, { month: 'short' })}</span>`
    : null;
  if (day === undefined) return html`<span class="day past">${above}${number}</span>`;
  const [weekday, name] = [named(date, { weekday: 'long' }), named(date, { month: 'long' })];
  const inside = html`<span class="unseen">${weekday} </span>${above}<span class="date">${number}</span><span class="unseen"> ${name}</span>`;
  if (!hasTime(day))
    return html`<span class="day none"${day.note ? html` title="${day.note}"` : null}>${inside}<span class="unseen">, ${day.open ? 'no free time' : 'closed'}</span></span>`;
  return html`<a class="day" href="${href}#times" data-swap="${date}"${isShown ? html` aria-current="date"` : null}>${inside}</a>`;
}

/** A form for any other date, which keeps the parameters of the address. */
function dateForm({ day, today, lastDate, hrefOf }: PickerOptions): SafeHtml {
  const { pathname, searchParams } = new URL(hrefOf({}), 'http://page.invalid');
  const kept = [...searchParams].map(([name, value]) => hidden(name, value));
  const value = day !== undefined && day >= today && day <= lastDate ? day : '';
  return html`<form class="jump" method="get" action="${pathname}">${kept}<label for="day">Go to a date</label><div><input type="date" id="day" name="day" min="${today}" max="${lastDate}" value="${value}" required>${button('Show', 'quiet')}</div></form>`;
}

function timesOf(day: PickerDay, { timezone, hrefOf }: PickerOptions): SafeHtml {
  const hourOf = (instant: string) => Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).hour;
  const parts = [
    { name: 'Morning', slots: day.slots.filter(({ time }) => hourOf(time) < 12) },
    { name: 'Afternoon', slots: day.slots.filter(({ time }) => hourOf(time) >= 12) },
  ];
  return html`<h3>${spoken(day.date)}${day.note ? html` <span class="quiet">${day.note}</span>` : null}</h3>${parts
    .filter(({ slots }) => slots.length > 0)
    .map(
      ({ name, slots }) =>
        html`<h4 class="part">${name}</h4><ul class="times">${slots.map(({ time }) => html`<li><a class="time" href="${hrefOf({ day: day.date, time })}" data-swap>${timeAt(time, timezone)}</a></li>`)}</ul>`,
    )}`;
}

/** No free time on a day, or in the whole month, with a link to the next step. */
function nothingFree(day: PickerDay | undefined, { days, today, lastDate, hrefOf }: PickerOptions): SafeHtml {
  const month = days[0]?.date ?? today;
  const later = monthAfter(month);
  const next = day && days.find((each) => each.date > day.date && hasTime(each));
  const why = day
    ? `${spoken(day.date)}: ${day.open ? 'there is no free time.' : 'closed.'}${day.note ? ` ${day.note}.` : ''}`
    : `There is no free time in ${shownName(month, today)}.`;
  const way = next
    ? html`<p>Next free day: <a href="${hrefOf({ day: next.date })}#times" data-swap>${shortly(next.date)}</a></p>`
    : later <= lastDate
      ? html`<p><a href="${hrefOf({ from: later })}" data-swap>Look at ${monthName(later)}</a></p>`
      : null;
  return notice('info', html`<p>${why}</p>${way}`);
}

const timeAt = (instant: string, timezone: string) => localTime(new Date(instant), timezone);

const named = (date: string, parts: Intl.DateTimeFormatOptions) =>
  formatterOf(parts).format(Date.parse(date));
const spoken = (date: string) => named(date, { weekday: 'long', day: 'numeric', month: 'long' });
const shortly = (date: string) => named(date, { weekday: 'short', day: 'numeric', month: 'short' });
const withYear = (date: string) => named(date, { day: 'numeric', month: 'long', year: 'numeric' });
/** The name of a month, or in short that of it and of the next one, where the grid goes on into it. */
function shownName(month: string, today: string): string {
  const last = lastShownOf(month, today);
  if (last.startsWith(month.slice(0, 7))) return monthName(month);
  const short = (date: string, more: Intl.DateTimeFormatOptions = {}) =>
    named(date, { month: 'short', ...more });
  const isOneYear = last.startsWith(month.slice(0, 4));
  return `${short(month, isOneYear ? {} : { year: 'numeric' })} and ${short(last, { year: 'numeric' })}`;
}

const monthName = (date: string) => named(date, { month: 'long', year: 'numeric' });

/** Making one takes longer than the rest of a page; there are few forms. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(parts);
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('en-AU', { ...parts, timeZone: 'UTC' });
  formatters.set(key, formatter);
  return formatter;
}

/** From Monday: 1 January 2024 was a Monday. */
const weekdays = Array.from({ length: 7 }, (_, n) => {
  const date = `2024-01-0${n + 1}`;
  return { short: named(date, { weekday: 'short' }), long: named(date, { weekday: 'long' }) };
});
