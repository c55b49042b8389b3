/** SQL of the data in notices of bookings. */
import type { BookingEventPayload } from '#product/bookings/events.ts';
import { bookingJson, minutesOf } from '#product/bookings/snapshot.ts';
import { noticeReads } from '../store.ts';

export interface PresentBooking {
  /** The code of its manage link; null when it has none. */
  readonly manageCode: string | null;
  /** The duration of all services together; 0: unknown. */
  readonly minutes: number;
}

export const bookingReads = noticeReads<BookingEventPayload, PresentBooking>({
  name: 'booking',
  // A new date is the only change of a booking that is notified.
  isTold: `e.kind <> 'booking.updated' OR (e.payload->>'dateChanged')::boolean`,
  present: `jsonb_build_object('manageCode', (SELECT code FROM manage_link WHERE booking_id = e.subject_id),
        'minutes', coalesce((SELECT ${minutesOf('b')} FROM booking b WHERE b.id = e.subject_id), 0))`,
  now: {
    payload: `jsonb_build_object('booking', ${bookingJson('r', 'c')})`,
    from: 'booking r JOIN car c ON c.id = r.car_id',
  },
});
