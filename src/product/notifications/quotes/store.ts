/** SQL of the data in notices of quotes. */
import { bookingJson } from '#product/bookings/snapshot.ts';
import type { QuoteEventPayload } from '#product/quotes/events.ts';
import { quoteJson } from '#product/quotes/snapshot.ts';
import { noticeReads } from '../store.ts';

export const quoteReads = noticeReads<QuoteEventPayload>({
  name: 'quote',
  now: {
    payload: `jsonb_build_object('quote', ${quoteJson('r', 'c')},
      'booking', (SELECT ${bookingJson('b', 'k')} FROM booking b JOIN car k ON k.id = b.car_id WHERE b.id = r.booking_id))`,
    from: 'quote r JOIN car c ON c.id = r.car_id',
  },
});
