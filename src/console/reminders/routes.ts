/** /console/w/{slug}/reminders: scheduled and sent reminders, and staff's changes to them. */
import { change, page, type WorkshopRoute } from '../frame/console-page.ts';
import { sendNow, stop } from './change.ts';
import { reminderList } from './list.ts';
import { showReminder } from './show.ts';

export const reminderRoutes: readonly WorkshopRoute[] = [
  page('reminders', 'seeReminders', reminderList),
  page('reminders/:id', 'seeReminders', showReminder),
  change('reminders/:id/send', 'seeReminders', sendNow),
  change('reminders/:id/stop', 'seeReminders', stop),
];
