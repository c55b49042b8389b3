/** A text in one's own words to a customer: its form, and sending it. Of a booking's page and a customer's alike. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, linkButton, textArea } from '#platform/pages/components.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { groundFields, groundOf } from '../frame/ground.ts';
import type { Answer, ConsolePage } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

/** To a customer, or to a number (E.164), whose customer is made with the text where there is none. */
export type Addressed = About & ({ readonly customerId: string } | { readonly phone: string });

interface About {
  /** The booking that it is about; null: none. */
  readonly bookingId: string | null;
  /** The path of the page that it is sent from, and that its sender goes back to. */
  readonly path: string;
}

export function sendText(
  visit: WorkshopVisit,
  { bookingId, path, ...to }: Addressed,
  refused: (refused: Refused) => ConsolePage,
): Promise<Answer> {
  const { context, actor, form, workshop } = visit;
  const next = `${path}?done=sent`;
  return submit(
    visit,
    async (key) => {
      await sendOwnMessage(context, {
        ...{ workshopId: workshop.workshopId, to, bookingId },
        ...{ content: { text: form['message'] ?? '' }, actor, ground: groundOf(visit) },
        alongside: key.keep(next),
      });
      context.nudgeSender();
      return next;
    },
    refused,
  );
}

/** `refused` has the names of the form's fields. */
export function textForm(visit: WorkshopVisit, path: string, refused: Refused | null): SafeHtml {
  return html`<section class="card">${changeForm({
    action: `${path}/message`,
    body: html`${textArea({ name: 'message', label: 'Message', max: 1_000, value: visit.form['message'], required: true, error: faultOf(refused, 'message') })}
${groundFields(visit, refused)}
${buttons(button('Send'), linkButton('Back', path, 'quiet'))}`,
  })}</section>`;
}
