/** /console/w/{slug}/customers/{id}/message: a custom text to a customer, who need not have a booking. */
import { html } from '@remix-run/html-template';
import { findAddressee } from '#product/messaging/staff/store.ts';
import { nameShown } from '../frame/masked.ts';
import { messagePages } from '../said/message-page.ts';
import { followedByForm, openCustomer } from './open.ts';

export const customerMessage = messagePages(async (visit) => {
  const { customer, path } = await openCustomer(visit);
  const { customerId, workshopId } = customer;
  // The number that a text goes to is that of a merged row when this one has none.
  const phone = (await findAddressee(visit.context.db, workshopId, customerId))?.phone ?? null;
  return {
    ...{ customerId, bookingId: null, path },
    about: html`To ${nameShown(customer.name, visit.workshop)}`,
    cannot:
      phone === null
        ? 'The customer has no phone: nothing can be sent.'
        : customer.optedOutAt === null
          ? null
          : 'The customer has opted out of SMS: nothing can be sent.',
    page: { title: 'Message to a customer', ...followedByForm(customer), current: 'Customers' },
  };
});
