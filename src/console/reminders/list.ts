/** /console/w/{slug}/reminders: due reminders, the next first; or those that were sent, booked, stopped or failed. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDateTime } from '#base/values/local-time.ts';
import { buttons } from '#platform/pages/components.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { countShown } from '../frame/found.ts';
import { nameShown, phoneLink } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { filterLinks, filterOf } from '../lists/filters.ts';
import { listedAtMost } from '../lists/table.ts';
import { listReminders, type Reminder } from './store.ts';
import {
  optedOutMark,
  type ReminderFilter,
  reminderCar,
  reminderFilters,
  reminderMark,
  statusOf,
} from './view.ts';

export async function reminderList(visit: WorkshopVisit): Promise<ConsolePage> {
  const { context, workshop, base, query } = visit;
  const { workshopId } = workshop;
  const filter = filterOf(reminderFilters, query['filter']);
  const after = query['after'] ?? '';
  const reminders = await listReminders(context.db, {
    ...{ workshopId, status: statusOf[filter], limit: listedAtMost },
    after: isId(after) ? after : null,
  });
  await countShown(
    visit,
    reminders.map(({ customerId }) => customerId),
  );
  const path = `${base}/reminders`;
  const last = reminders.at(-1);
  const next = reminders.length < listedAtMost || !last ? null : `${path}?filter=${filter}&after=${last.id}`;
  return {
    title: 'Reminders',
    current: 'More',
    live: ['reminder', 'customer'],
    main: html`<div class="head"><h1>Reminders</h1>${filterLinks(reminderFilters, path, filter)}</div>
${reminders.length === 0 ? html`<p class="card quiet">${empties[filter]}</p>` : html`<ul class="stack">${reminders.map((reminder) => reminderRow(visit, reminder))}</ul>`}
${next === null ? null : html`<p><a class="button quiet" href="${next}">Next page</a></p>`}`,
  };
}

function reminderRow({ workshop, base }: WorkshopVisit, reminder: Reminder): SafeHtml {
  const { id, customerId, customer, phone, dueAt, sentAt, partner, status, isTaken, optedOut } = reminder;
  const path = `${base}/reminders/${id}`;
  const at = (instant: Date) => localDateTime(instant, workshop.timezone);
  const car = reminderCar(reminder, workshop);
  // The linked page shows the text before it is sent.
  const way = (name: string, anchor: string) =>
    html`<a class="button quiet" href="${path}${anchor}" aria-label="${name}: ${car}, ${at(dueAt)}">${name}</a>`;
  const ways =
    status === 'scheduled' && !isTaken
      ? [optedOut ? null : way('Send now', '#send'), way('Stop', '#stop')]
      : [];
  return html`<li class="card" id="reminder-${id}"><div class="head"><div>
<p><strong><a href="${base}/customers/${customerId}">${nameShown(customer, workshop)}</a></strong> ${phoneLink(phone, workshop)} ${reminderMark(reminder)} ${optedOutMark(reminder)}</p>
<p><a href="${path}">${at(dueAt)}</a> <span class="quiet">${car} · ${partner}${sentAt === null ? null : html` · sent ${at(sentAt)}`}</span></p>
</div>${ways.length === 0 ? null : buttons(...ways)}</div></li>`;
}

const empties: Readonly<Record<ReminderFilter, string>> = {
  due: 'No reminder is to be sent.',
  sent: 'None was sent that has not led to a booking.',
  booked: 'None has led to a booking yet.',
  stopped: 'None was stopped.',
  failed: 'None failed.',
};
