/** /console/w/{slug}/customers: the latest customers, and one with all actions. */
import { change, page, type WorkshopRoute } from '../frame/console-page.ts';
import { afresh } from '../frame/routes.ts';
import { askCar, correctCar } from './car.ts';
import { sameCar, stopTexts, tag } from './change.ts';
import { askCorrect, correct } from './correct.ts';
import { askErase, erase } from './erase.ts';
import { askExport, exportAsJson, exportAsPage, recordAsked } from './export.ts';
import { ofKept } from './kept.ts';
import { listPage } from './list.ts';
import { askMerge, merge } from './merge.ts';
import { customerMessage } from './message.ts';
import { add, askNew } from './new.ts';
import { askOptIn, optIn } from './opt-in.ts';
import { showCustomer } from './show.ts';

export const customerRoutes: readonly WorkshopRoute[] = [
  page('customers', 'seeCustomers', listPage),
  page('customers/new', 'correctCustomers', askNew),
  change('customers/new', 'correctCustomers', add),
  page('customers/:id', 'seeCustomers', ofKept(showCustomer)),
  change('customers/:id/tags', 'correctCustomers', tag),
  change('customers/:id/opt-out', 'correctCustomers', stopTexts),
  page('customers/:id/correct', 'correctCustomers', ofKept(askCorrect)),
  change('customers/:id/correct', 'correctCustomers', correct),
  page('customers/:id/car', 'correctCustomers', ofKept(askCar)),
  change('customers/:id/car', 'correctCustomers', correctCar),
  change('customers/:id/same-car', 'correctCustomers', sameCar),
  page('customers/:id/message', 'wordTexts', ofKept(customerMessage.ask)),
  change('customers/:id/message', 'wordTexts', customerMessage.send),
  change('customers/:id/message/preview', 'wordTexts', customerMessage.preview),
  change('customers/:id/message/later', 'wordTexts', customerMessage.later),
  page('customers/:id/opt-in', 'runWorkshop', ofKept(askOptIn)),
  change('customers/:id/opt-in', 'runWorkshop', optIn),
  page('customers/:id/merge', 'runWorkshop', afresh(ofKept(askMerge))),
  change('customers/:id/merge', 'runWorkshop', afresh(merge)),
  page('customers/:id/erase', 'runWorkshop', afresh(ofKept(askErase))),
  change('customers/:id/erase', 'runWorkshop', afresh(erase)),
  page('customers/:id/export', 'runWorkshop', afresh(ofKept(askExport))),
  { ...change('customers/:id/export', 'runWorkshop', afresh(recordAsked)), onlyAsks: true },
  page('customers/:id/export/json', 'runWorkshop', afresh(ofKept(exportAsJson))),
  page('customers/:id/export/page', 'runWorkshop', afresh(ofKept(exportAsPage))),
];
