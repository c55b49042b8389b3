/** /console/w/{slug}/calls: callers who wait for a call-back, and the actions on a call. */
import { change, page, type WorkshopRoute } from '../frame/console-page.ts';
import { callList } from './list.ts';
import { markCalled, markWaiting } from './mark.ts';
import { askMessage, message } from './message.ts';
import { showCall } from './show.ts';

export const callRoutes: readonly WorkshopRoute[] = [
  page('calls', 'seeQuotes', callList),
  page('calls/:id', 'seeQuotes', showCall),
  change('calls/:id/called', 'changeBookings', markCalled),
  change('calls/:id/waiting', 'changeBookings', markWaiting),
  page('calls/:id/message', 'wordTexts', askMessage),
  change('calls/:id/message', 'wordTexts', message),
];
