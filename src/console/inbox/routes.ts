/** /console/w/{slug}/inbox: conversations with customers, and the forms by which staff answer and organise them. */
import { change, page, type WorkshopRoute } from '../frame/console-page.ts';
import { assignTo, done, note, notMeant, optOut, waiting } from './changes.ts';
import { listPage } from './list/page.ts';
import { askNew, send } from './new.ts';
import { showPicture } from './picture.ts';
import { threadPage } from './thread/page.ts';

export const inboxRoutes: readonly WorkshopRoute[] = [
  page('inbox', 'seeCustomers', listPage),
  page('inbox/new', 'wordTexts', askNew),
  change('inbox/new', 'wordTexts', send),
  page('inbox/:id', 'seeCustomers', (visit) => threadPage(visit, visit.params['id'] ?? '')),
  page('inbox/:id/pictures/:attachment', 'seeCustomers', showPicture),
  change('inbox/:id/done', 'handleConversations', done),
  change('inbox/:id/waiting', 'handleConversations', waiting),
  change('inbox/:id/assign', 'handleConversations', assignTo),
  change('inbox/:id/opt-out', 'correctCustomers', optOut),
  change('inbox/:id/not-meant', 'correctCustomers', notMeant),
  change('inbox/:id/note', 'handleConversations', note),
];
