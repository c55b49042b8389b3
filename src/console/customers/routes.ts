/** /console/w/{slug}/customers: the latest, and one with all that can be done to it. */
import { change, page, type WorkshopRoute } from '../frame/place.ts';
import { afresh } from '../frame/routes.ts';
import { stopTexts, tag } from './change.ts';
import { askCorrect, correct } from './correct.ts';
import { ofKept } from './kept.ts';
import { listPage } from './list.ts';
import { askMerge, merge } from './merge.ts';
import { askMessage, message } from './message.ts';
import { showCustomer } from './show.ts';

export const customerRoutes: readonly WorkshopRoute[] = [
  page('customers', 'seeCustomers', listPage),
  page('customers/:id', 'seeCustomers', ofKept(showCustomer)),
  change('customers/:id/tags', 'correctCustomers', tag),
  change('customers/:id/opt-out', 'correctCustomers', stopTexts),
  page('customers/:id/correct', 'correctCustomers', ofKept(askCorrect)),
  change('customers/:id/correct', 'correctCustomers', correct),
  page('customers/:id/message', 'wordTexts', ofKept(askMessage)),
  change('customers/:id/message', 'wordTexts', message),
  page('customers/:id/merge', 'runWorkshop', afresh(ofKept(askMerge))),
  change('customers/:id/merge', 'runWorkshop', afresh(merge)),
];
