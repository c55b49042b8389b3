/** /console/w/{slug}/customers: the latest, and one with all that can be done to it. */
import { change, page, type WorkshopRoute } from '../frame/place.ts';
import { stopTexts, tag } from './change.ts';
import { askCorrect, correct } from './correct.ts';
import { listPage } from './list.ts';
import { askMessage, message } from './message.ts';
import { showCustomer } from './show.ts';

export const customerRoutes: readonly WorkshopRoute[] = [
  page('customers', 'seeCustomers', listPage),
  page('customers/:id', 'seeCustomers', showCustomer),
  change('customers/:id/tags', 'correctCustomers', tag),
  change('customers/:id/opt-out', 'correctCustomers', stopTexts),
  page('customers/:id/correct', 'correctCustomers', askCorrect),
  change('customers/:id/correct', 'correctCustomers', correct),
  page('customers/:id/message', 'wordTexts', askMessage),
  change('customers/:id/message', 'wordTexts', message),
];
