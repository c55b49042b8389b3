/** /console/w/{slug}/bookings/{id}/message: a custom text to the customer of a booking. */
import { html } from '@remix-run/html-template';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { nameShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { textRefusal } from '../said/answered.ts';
import { countScripts } from '../said/count.ts';
import { sendText, textForm } from '../said/write.ts';
import { nameOf, whenOf } from './facts.ts';
import { followedByForm, type OpenedBooking, openBooking } from './open.ts';

export const askMessage = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  messagePage(visit, await openBooking(visit), null);

export async function message(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const opened = await openBooking(visit);
  const { booking, path } = opened;
  const { customerId, id: bookingId } = booking;
  return sendText(visit, { to: { customerId }, bookingId, path, field: 'message' }, (refused) =>
    messagePage(visit, opened, refused),
  );
}

async function messagePage(
  visit: WorkshopVisit,
  opened: OpenedBooking,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { booking, path, beside } = opened;
  return {
    title: `Message to ${nameOf(booking, visit.workshop)}`,
    ...followedByForm(opened),
    scripts: countScripts,
    main: html`<div class="stack narrow"><h1>Message</h1><p>To ${nameShown(booking.customer.name, visit.workshop)}, about ${whenOf(booking)}</p>
${await textRefusal(visit, refused)}
${beside.optedOut ? html`<p class="notice bad">The customer has opted out of SMS: nothing can be sent.</p>` : null}
${await textForm(visit, { customerId: booking.customerId, path }, refused)}</div>`,
  };
}
