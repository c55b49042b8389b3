/** /console/w/{slug}/customers/{id}/message: a text in one's own words to a customer, who need not have a booking. */
import { html } from '@remix-run/html-template';
import { button, buttons, linkButton, textArea } from '#platform/pages/components.ts';
import { sendOwnMessage } from '#product/messaging/staff/send.ts';
import { asTyped } from '../bookings/as-typed.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { groundFields, groundOf } from '../frame/ground.ts';
import { nameShown } from '../frame/masked.ts';
import type { Answer, ConsolePage } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { type OpenedCustomer, openCustomer } from './open.ts';

export const askMessage = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  messagePage(visit, await openCustomer(visit), null);

export async function message(visit: WorkshopVisit): Promise<Answer> {
  const { context, actor, form, workshop } = visit;
  const opened = await openCustomer(visit);
  const { customerId } = opened.customer;
  const to = `${opened.path}?done=sent`;
  return submit(
    visit,
    async (key) => {
      await sendOwnMessage(context, {
        ...{ workshopId: workshop.workshopId, to: { customerId }, bookingId: null },
        ...{ content: { text: form['message'] ?? '' }, actor, ground: groundOf(visit) },
        alongside: key.keep(to),
      });
      context.nudgeSender();
      return to;
    },
    (refused) => messagePage(visit, opened, refused),
  );
}

function messagePage(
  visit: WorkshopVisit,
  { customer, path }: OpenedCustomer,
  refusedBy: Refused | null,
): ConsolePage {
  const refused = asTyped(refusedBy);
  const cannot =
    customer.phone === null
      ? 'The customer has no phone: nothing can be sent.'
      : customer.optedOutAt === null
        ? null
        : 'The customer has opted out of SMS: nothing can be sent.';
  return {
    title: 'Message to a customer',
    current: 'Customers',
    main: html`<div class="stack narrow"><h1>Message</h1><p>To ${nameShown(customer.name, visit.workshop)}</p>
${refusal(refused)}
${cannot === null ? null : html`<p class="notice bad">${cannot}</p>`}
<section class="card">${changeForm({
      action: `${path}/message`,
      body: html`${textArea({ name: 'message', label: 'Message', max: 1_000, value: visit.form['message'], required: true, error: faultOf(refused, 'message') })}
${groundFields(visit, refused)}
${buttons(button('Send'), linkButton('Back', path, 'quiet'))}`,
    })}</section></div>`,
  };
}
