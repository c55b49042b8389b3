/** A time in the inbox: short on the page, whole for screen readers and in the tooltip. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { addDays, dateAt } from '#base/values/local-day.ts';
import { localDate, localDateTime, localTime } from '#base/values/local-time.ts';

/** `9:30 am` of today, `Tue` of the last week, `3 Mar` of this year, else `3 Mar 2025`. */
export function shortTime(at: Date, now: Date, timezone: string): string {
  const [today, day] = [dateAt(now.getTime(), timezone), dateAt(at.getTime(), timezone)];
  if (day === today) return localTime(at, timezone);
  const [weekday = '', date = '', month = '', year = ''] = localDate(at, timezone).split(' ');
  if (day < today && day > addDays(today, -7)) return weekday;
  return day.slice(0, 4) === today.slice(0, 4) ? `${date} ${month}` : `${date} ${month} ${year}`;
}

/** `short`: the visible text. */
export function timeShown(at: Date, short: string, timezone: string): SafeHtml {
  const whole = localDateTime(at, timezone);
  return html`<time datetime="${at.toISOString()}" title="${whole}"><span aria-hidden="true">${short}</span><span class="unseen">${whole}</span></time>`;
}
