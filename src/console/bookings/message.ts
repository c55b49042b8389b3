/** /console/w/{slug}/bookings/{id}/message: a text in one's own words to the customer of a booking. */
import { html } from '@remix-run/html-template';
import { button, buttons, linkButton, textArea } from '#platform/pages/components.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { groundFields, groundOf } from '../frame/ground.ts';
import { nameShown } from '../frame/masked.ts';
import type { Answer, ConsolePage } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { asTyped } from './as-typed.ts';
import { nameOf, whenOf } from './facts.ts';
import { type OpenedBooking, openBooking } from './open.ts';

export const askMessage = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  messagePage(visit, await openBooking(visit), null);

export async function message(visit: WorkshopVisit): Promise<Answer> {
  const { context, actor, form, workshop } = visit;
  const opened = await openBooking(visit);
  const { booking, path } = opened;
  const to = `${path}?done=sent`;
  return submit(
    visit,
    async (key) => {
      await sendOwnMessage(context, {
        ...{ workshopId: workshop.workshopId, to: { customerId: booking.customerId }, bookingId: booking.id },
        ...{ content: { text: form['message'] ?? '' }, actor, ground: groundOf(visit) },
        alongside: key.keep(to),
      });
      context.nudgeSender();
      return to;
    },
    (refused) => messagePage(visit, opened, refused),
  );
}

function messagePage(visit: WorkshopVisit, opened: OpenedBooking, refusedBy: Refused | null): ConsolePage {
  const refused = asTyped(refusedBy);
  const { booking, path, beside } = opened;
  return {
    title: `Message to ${nameOf(booking, visit.workshop)}`,
    main: html`<div class="stack narrow"><h1>Message</h1><p>To ${nameShown(booking.customer.name, visit.workshop)}, about ${whenOf(booking)}</p>
${refusal(refused)}
${beside.optedOut ? html`<p class="notice bad">The customer has opted out of SMS: nothing can be sent.</p>` : null}
<section class="card">${changeForm({
      action: `${path}/message`,
      body: html`${textArea({ name: 'message', label: 'Message', max: 1_000, value: visit.form['message'], required: true, error: faultOf(refused, 'message') })}
${groundFields(visit, refused)}
${buttons(button('Send'), linkButton('Back', path, 'quiet'))}`,
    })}</section></div>`,
  };
}
