/** /console/w/{slug}/bookings/{id}/message: a text in one's own words to the customer of a booking. */
import { html } from '@remix-run/html-template';
import { refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { nameShown } from '../frame/masked.ts';
import type { Answer, ConsolePage } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { sendText, textForm } from '../said/write.ts';
import { asTyped } from './as-typed.ts';
import { nameOf, whenOf } from './facts.ts';
import { followedByForm, type OpenedBooking, openBooking } from './open.ts';

export const askMessage = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  messagePage(visit, await openBooking(visit), null);

export async function message(visit: WorkshopVisit): Promise<Answer> {
  const opened = await openBooking(visit);
  const { booking, path } = opened;
  return sendText(visit, { customerId: booking.customerId, bookingId: booking.id, path }, (refused) =>
    messagePage(visit, opened, refused),
  );
}

function messagePage(visit: WorkshopVisit, opened: OpenedBooking, refusedBy: Refused | null): ConsolePage {
  const refused = asTyped(refusedBy);
  const { booking, path, beside } = opened;
  return {
    title: `Message to ${nameOf(booking, visit.workshop)}`,
    ...followedByForm(opened),
    main: html`<div class="stack narrow"><h1>Message</h1><p>To ${nameShown(booking.customer.name, visit.workshop)}, about ${whenOf(booking)}</p>
${refusal(refused)}
${beside.optedOut ? html`<p class="notice bad">The customer has opted out of SMS: nothing can be sent.</p>` : null}
${textForm(visit, path, refused)}</div>`,
  };
}
