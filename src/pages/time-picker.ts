/** Choosing a day and a time by links, without a script: a week of days, and the times of one of them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { addDays } from '#values/local-day.ts';
import { localTime } from '#values/local-time.ts';
import { notice } from './components.ts';

/** A day of an availabilities answer. */
export interface PickerDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly open: boolean;
  readonly note: string | null;
  /** `time` is an instant as the API gives it. */
  readonly slots: readonly { readonly time: string }[];
}

/** What a link of the picker chooses. */
export interface PickerChoice {
  /** The first day that is shown. */
  readonly from: string;
  /** The day whose times are shown. */
  readonly day?: string;
  /** The chosen instant. */
  readonly time?: string;
}

export interface PickerOptions {
  /** One after the other, at most seven. */
  readonly days: readonly PickerDay[];
  /** IANA name. */
  readonly timezone: string;
  /** The day whose times are shown; else the first with a free time. */
  readonly day?: string | undefined;
  /** Today, and the last date that can be booked, in the zone. */
  readonly today: string;
  readonly lastDate: string;
  readonly hrefOf: (choice: PickerChoice) => string;
}

/** Whether the time is one of the day's free ones. */
export const isFreeOn = (day: PickerDay | undefined, time: Date): boolean =>
  day?.slots.some((slot) => slot.time === time.toISOString()) ?? false;

const weeksAtMost = 4;

/** The week that a visitor looks at; without one the first from today with a free time, four weeks ahead at most. */
export async function readWeek<Answer extends { readonly days: readonly PickerDay[] }>(
  asked: string | undefined,
  today: string,
  read: (from: string) => Promise<Answer>,
): Promise<Answer> {
  if (asked !== undefined) return read(latestOf(asked, today));
  const first = await read(today);
  let answer = first;
  for (let week = 1; week < weeksAtMost && !answer.days.some(hasTime); week++) {
    answer = await read(addDays(today, week * 7));
  }
  return answer.days.some(hasTime) ? answer : first;
}

const latestOf = (one: string, other: string): string => [one, other].sort()[1] ?? one;

export function timePicker(options: PickerOptions): SafeHtml {
  const { days, hrefOf, today, lastDate } = options;
  const from = days[0]?.date ?? today;
  const shown = days.find(({ date }) => date === options.day) ?? days.find(hasTime) ?? days[0];
  const earlier = latestOf(addDays(from, -7), today);
  const later = addDays(from, 7);
  return html`<div class="picker">
<div class="week-head"><h2 id="month">${monthsOf(days)}</h2><p class="pages">
${from > today ? html`<a class="turn" href="${hrefOf({ from: earlier })}" data-swap="earlier" aria-label="Earlier days">‹</a>` : html`<span class="turn" aria-hidden="true">‹</span>`}
${later <= lastDate ? html`<a class="turn" href="${hrefOf({ from: later })}" data-swap="later" aria-label="Later days">›</a>` : html`<span class="turn" aria-hidden="true">›</span>`}</p></div>
<ul class="days" aria-labelledby="month">${days.map((day) => dayItem(day, day === shown, hrefOf({ from, day: day.date })))}</ul>
${shown ? timesOf(shown, from, options) : null}
</div>`;
}

const hasTime = ({ slots }: PickerDay) => slots.length > 0;

function dayItem(day: PickerDay, isShown: boolean, href: string): SafeHtml {
  const date = Temporal.PlainDate.from(day.date);
  const weekday = date.toLocaleString('en-AU', { weekday: 'short' });
  const month = date.toLocaleString('en-AU', { month: 'long' });
  const inside = html`<span class="weekday">${weekday}</span> <span class="date">${date.day}</span><span class="unseen"> ${month}</span>`;
  if (!hasTime(day)) {
    return html`<li><span class="day none" title="${day.note ?? ''}">${inside}<span class="unseen">, ${day.open ? 'no free time' : 'closed'}</span></span></li>`;
  }
  return html`<li><a class="day" href="${href}" data-swap="${day.date}"${isShown ? html` aria-current="date"` : null}>${inside}</a></li>`;
}

function timesOf(day: PickerDay, from: string, { timezone, hrefOf }: PickerOptions): SafeHtml {
  const spoken = Temporal.PlainDate.from(day.date).toLocaleString('en-AU', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
  if (!hasTime(day)) {
    const why = day.open ? 'There is no free time on these days.' : 'These days have no free time.';
    return notice('info', html`<p>${why} Please look at later days.</p>`);
  }
  const parts = [
    { name: 'Morning', slots: day.slots.filter(({ time }) => hourOf(time, timezone) < 12) },
    { name: 'Afternoon', slots: day.slots.filter(({ time }) => hourOf(time, timezone) >= 12) },
  ];
  return html`<h3 class="chosen-day">${spoken}${day.note ? html` <span class="quiet">${day.note}</span>` : null}</h3>${parts
    .filter(({ slots }) => slots.length > 0)
    .map(
      ({ name, slots }) =>
        html`<h4 class="part">${name}</h4><ul class="times">${slots.map(({ time }) => html`<li><a class="time" href="${hrefOf({ from, day: day.date, time })}" data-swap>${localTime(new Date(time), timezone)}</a></li>`)}</ul>`,
    )}`;
}

const hourOf = (instant: string, timezone: string) =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timezone).hour;

/** `March 2027`; `March – April 2027` for a week across two months. */
function monthsOf(days: readonly PickerDay[]): string {
  const name = (date: string, withYear: boolean) =>
    Temporal.PlainDate.from(date).toLocaleString('en-AU', {
      month: 'long',
      ...(withYear && { year: 'numeric' }),
    });
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (first === undefined || last === undefined) return '';
  if (first.slice(0, 7) === last.slice(0, 7)) return name(first, true);
  return `${name(first, first.slice(0, 4) !== last.slice(0, 4))} – ${name(last, true)}`;
}
