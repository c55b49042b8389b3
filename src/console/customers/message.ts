/** /console/w/{slug}/customers/{id}/message: a custom text to a customer, who need not have a booking. */
import { html } from '@remix-run/html-template';
import { findAddressee } from '#product/messaging/staff/store.ts';
import type { ConsolePage, ConsoleResponse } from '../frame/console-page.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { nameShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { textRefusal } from '../said/answered.ts';
import { countScripts } from '../said/count.ts';
import { sendText, textForm } from '../said/write.ts';
import { followedByForm, type OpenedCustomer, openCustomer } from './open.ts';

export const askMessage = async (visit: WorkshopVisit): Promise<ConsolePage> =>
  messagePage(visit, await openReachable(visit), null);

export async function message(visit: WorkshopVisit): Promise<ConsoleResponse> {
  const opened = await openReachable(visit);
  return sendText(
    visit,
    {
      ...{ to: { customerId: opened.customer.customerId }, bookingId: null, path: opened.path },
      field: 'message',
    },
    (refused) => messagePage(visit, opened, refused),
  );
}

/** With the number that a text goes to: that of a merged row when this one has none. */
async function openReachable(visit: WorkshopVisit): Promise<OpenedCustomer> {
  const { customer, path } = await openCustomer(visit);
  const addressee = await findAddressee(visit.context.db, customer.workshopId, customer.customerId);
  return { customer: { ...customer, phone: addressee?.phone ?? null }, path };
}

async function messagePage(
  visit: WorkshopVisit,
  { customer, path }: OpenedCustomer,
  refused: Refused | null,
): Promise<ConsolePage> {
  const cannot =
    customer.phone === null
      ? 'The customer has no phone: nothing can be sent.'
      : customer.optedOutAt === null
        ? null
        : 'The customer has opted out of SMS: nothing can be sent.';
  return {
    title: 'Message to a customer',
    ...followedByForm(customer),
    current: 'Customers',
    scripts: countScripts,
    main: html`<div class="stack narrow"><h1>Message</h1><p>To ${nameShown(customer.name, visit.workshop)}</p>
${await textRefusal(visit, refused)}
${cannot === null ? null : html`<p class="notice bad">${cannot}</p>`}
${await textForm(visit, { customerId: customer.customerId, path }, refused)}</div>`,
  };
}
