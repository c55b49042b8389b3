/** /console/w/{slug}/bookings/{id}/message: a custom text to the customer of a booking. */
import { html } from '@remix-run/html-template';
import { nameShown } from '../frame/masked.ts';
import { messagePages } from '../said/message-page.ts';
import { nameOf, whenOf } from './facts.ts';
import { followedByForm, openBooking } from './open.ts';

export const bookingMessage = messagePages(async (visit) => {
  const opened = await openBooking(visit);
  const { booking, path, beside } = opened;
  const { customerId, id: bookingId } = booking;
  return {
    ...{ customerId, bookingId, path },
    about: html`To ${nameShown(booking.customer.name, visit.workshop)}, about ${whenOf(booking)}`,
    cannot: beside.optedOut ? 'The customer has opted out of SMS: nothing can be sent.' : null,
    page: { title: `Message to ${nameOf(booking, visit.workshop)}`, ...followedByForm(opened) },
  };
});
