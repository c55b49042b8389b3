/** /console/w/{slug}/bookings?state=pending: coming bookings that wait for a confirmation, or those in another state. */
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { bookingStatuses } from '#product/bookings/schema.ts';
import { listWorkshopBookings } from '#product/bookings/staff/store.ts';
import { titlesOf } from '#product/catalogue/item.ts';
import { page } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import { notGiven, statusMark } from '../frame/marks.ts';
import { nameShown, textShown } from '../frame/masked.ts';
import { listedAtMost, table } from './table.ts';

export const bookingList = page('bookings', 'seeBookings', async (visit) => {
  const { context, workshop, base, query } = visit;
  const { timezone, workshopId } = workshop;
  const state = bookingStatuses.find((each) => each === query['state']);
  const after = query['after'] ?? '';
  const bookings = await listWorkshopBookings(context.db, {
    ...{
      workshopId,
      states: state === undefined ? bookingStatuses : [state],
      filters: { from: context.clock.now() },
    },
    ...{ after: isId(after) ? after : null, limit: listedAtMost },
  });
  await countShown(
    visit,
    bookings.map(({ customerId }) => customerId),
  );
  const last = bookings.at(-1);
  const title = state === 'pending' ? 'Bookings to confirm' : 'Bookings ahead';
  return {
    title,
    current: 'Today',
    isWide: true,
    live: ['booking', 'customer'],
    main: html`<h1>${title}</h1>${table({
      head: ['When', 'Car', 'Customer', 'Work', 'Status'],
      rows: bookings.map(({ id, date, car, customer, services, status }) => [
        html`<a href="${base}/bookings/${id}">${localDateTime(new Date(date), timezone)}</a>`,
        car.rego ?? notGiven,
        nameShown(customer.name, workshop),
        textShown(titlesOf(services).join(', '), workshop),
        statusMark(status),
      ]),
      next:
        bookings.length < listedAtMost || !last
          ? null
          : `${base}/bookings?${new URLSearchParams({ ...(state && { state }), after: last.id })}`,
      empty: 'None.',
    })}`,
  };
});
