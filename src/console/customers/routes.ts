/** /console/w/{slug}/customers: the latest, and one with all that can be done to it. */
import { change, page, type WorkshopRoute } from '../frame/place.ts';
import { afresh } from '../frame/routes.ts';
import { stopTexts, tag } from './change.ts';
import { askCorrect, correct } from './correct.ts';
import { askErase, erase } from './erase.ts';
import { askExport, exportAsJson, exportAsPage, recordAsked } from './export.ts';
import { listPage } from './list.ts';
import { askMessage, message } from './message.ts';
import { askOptIn, optIn } from './opt-in.ts';
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
  page('customers/:id/opt-in', 'runWorkshop', askOptIn),
  change('customers/:id/opt-in', 'runWorkshop', optIn),
  page('customers/:id/erase', 'runWorkshop', afresh(askErase)),
  change('customers/:id/erase', 'runWorkshop', afresh(erase)),
  page('customers/:id/export', 'runWorkshop', afresh(askExport)),
  change('customers/:id/export', 'runWorkshop', afresh(recordAsked)),
  page('customers/:id/export/json', 'runWorkshop', afresh(exportAsJson)),
  page('customers/:id/export/page', 'runWorkshop', afresh(exportAsPage)),
];
