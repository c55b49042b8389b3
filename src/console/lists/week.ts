/** /console/w/{slug}/week: seven days, each with what is booked; a day leads to its page. */
import { html } from '@remix-run/html-template';
import { addDays, dateAt, localDay } from '#base/values/local-day.ts';
import { localDate } from '#base/values/local-time.ts';
import { readDate } from '#platform/pages/form.ts';
import { countedBookings } from '#product/bookings/staff/day/store.ts';
import { page } from '../frame/place.ts';

export const weekPage = page('week', 'seeBookings', async ({ context, workshop, base, query }) => {
  const { timezone, workshopId } = workshop;
  const from = readDate(query['from']) ?? dateAt(context.clock.now().getTime(), timezone);
  const days = Array.from({ length: 7 }, (_, n) => addDays(from, n));
  const { start } = localDay(from, timezone);
  const { end } = localDay(days.at(-1) ?? from, timezone);
  const bookings = await countedBookings(context.db, workshopId, { start, end });
  const byDate = Map.groupBy(bookings, ({ date }) => dateAt(date.getTime(), timezone));
  const rows = days.map((date) => {
    const on = (byDate.get(date) ?? []).filter(({ status }) => status !== 'cancelled');
    const pending = on.filter(({ status }) => status === 'pending').length;
    return html`<li><a href="${base}/today?date=${date}"><span class="row-title">${localDate(new Date(localDay(date, timezone).start), timezone)}</span><span class="row-value">${on.length === 1 ? '1 booking' : `${on.length} bookings`}</span>${pending > 0 ? html`<span class="row-detail">${pending} to confirm</span>` : null}</a></li>`;
  });
  return {
    title: 'Week',
    current: 'Week',
    live: ['booking', 'day', 'settings', 'clock'],
    main: html`<div class="head"><h1>Week</h1><p class="buttons"><a class="button quiet" href="${base}/week?from=${addDays(from, -7)}" aria-label="The week before">‹</a><a class="button quiet" href="${base}/week?from=${addDays(from, 7)}" aria-label="The week after">›</a><a class="button quiet" href="${base}/print?from=${from}">Print</a></p></div><ul class="rows">${rows}</ul>`,
  };
});
