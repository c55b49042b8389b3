/** /console/w/{slug}/report: the bookings of the last 30 days, by where they came from and what became of them. */
import { html } from '@remix-run/html-template';
import { addDays, dateAt, localDay } from '#base/values/local-day.ts';
import { bookingStatuses } from '#product/bookings/schema.ts';
import { countedBookings } from '#product/bookings/staff/day/store.ts';
import { page } from '../frame/place.ts';
import { table } from './table.ts';

const days = 30;

export const reportPage = page('report', 'seeReport', async ({ context, workshop }) => {
  const { timezone, workshopId } = workshop;
  const today = dateAt(context.clock.now().getTime(), timezone);
  const period = {
    start: localDay(addDays(today, 1 - days), timezone).start,
    end: localDay(today, timezone).end,
  };
  const bookings = await countedBookings(context.db, workshopId, period);
  const bySource = Map.groupBy(bookings, ({ partner }) => partner ?? 'The workshop itself');
  const rows = [...bySource].map(([source, of]) => [
    source,
    ...bookingStatuses.map((status) => String(of.filter((each) => each.status === status).length)),
    String(of.length),
  ]);
  return {
    title: 'Report',
    current: 'More',
    main: html`<h1>Report</h1><p>Bookings whose day was within the last ${days} days, today included.</p>${table(
      {
        head: ['From', 'Pending', 'Confirmed', 'Completed', 'Cancelled', 'All'],
        ...{ rows, next: null, empty: 'No booking in these days.' },
      },
    )}`,
  };
});
