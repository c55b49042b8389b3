/** /console/w/{slug}/print?date=: the day on paper. That somebody printed it is in the audit trail. */
import { html } from '@remix-run/html-template';
import { dateAt, localDay } from '#base/values/local-day.ts';
import { localDate, localTime } from '#base/values/local-time.ts';
import { recordEntry } from '#platform/audit/record.ts';
import { readDate } from '#platform/pages/form.ts';
import { readDay } from '#product/bookings/staff/day/store.ts';
import { attendanceNames, notGiven, statusMark } from '../frame/marks.ts';
import { page } from '../frame/place.ts';
import { table } from './table.ts';

export const printPage = page('print', 'seeBookings', async ({ context, workshop, actor, query }) => {
  const { db, clock } = context;
  const { timezone, workshopId } = workshop;
  const date = readDate(query['date']) ?? dateAt(clock.now().getTime(), timezone);
  const day = localDay(date, timezone);
  const bookings = await readDay(db, workshopId, day);
  await recordEntry(db, {
    ...{ actor, workshopId, subject: { kind: 'workshop', id: workshopId }, action: 'workshop.dayPrinted' },
    ...{ after: { date }, at: clock.now() },
  });
  return {
    title: `Bookings of ${localDate(new Date(day.start), timezone)}`,
    current: 'More',
    isWide: true,
    main: html`<h1>${localDate(new Date(day.start), timezone)}</h1>${table({
      head: ['Time', 'Car', 'Customer', 'Work', 'Pick-up', 'Status', 'Attendance'],
      rows: bookings
        .filter(({ status }) => status !== 'cancelled')
        .map(({ date: at, rego, model, customer, services, pickupTime, status, attendance }) => [
          localTime(at, timezone),
          [rego ?? notGiven, model].filter(Boolean).join(' '),
          customer ?? notGiven,
          services.join(', '),
          pickupTime === null ? '' : localTime(pickupTime, timezone),
          statusMark(status),
          attendanceNames[attendance],
        ]),
      ...{ next: null, empty: 'Nothing is booked.' },
    })}`,
  };
});
