/** /console/w/{slug}/reminders: those that are due, the next first; what was sent, booked, stopped or failed. */
import { html } from '@remix-run/html-template';
import { isId } from '#base/values/id.ts';
import { localDate, localDateTime } from '#base/values/local-time.ts';
import { countShown } from '../frame/found.ts';
import { nameShown, phoneLink, textShown } from '../frame/masked.ts';
import type { ConsolePage } from '../frame/place.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { filterLinks, filterOf } from '../lists/filters.ts';
import { listedAtMost, table } from '../lists/table.ts';
import { listReminders, type Reminder } from './store.ts';
import {
  carShown,
  optedOutMark,
  type ReminderFilter,
  reminderFilters,
  reminderMark,
  statusOf,
} from './view.ts';

export async function reminderList(visit: WorkshopVisit): Promise<ConsolePage> {
  const { context, workshop, base, query } = visit;
  const { workshopId, timezone } = workshop;
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
  const waysOf = (reminder: Reminder) => {
    const of = `${reminder.car?.rego ?? ''} ${localDate(reminder.dueAt, timezone)}`.trim();
    const its = (name: string, anchor: string) =>
      html`<a href="${path}/${reminder.id}${anchor}" aria-label="${name}: ${of}">${name}</a>`;
    const canBeChanged = reminder.status === 'scheduled' && !reminder.isTaken;
    return canBeChanged
      ? html`${reminder.optedOut ? its('Open', '') : its('Send now', '#send')} ${its('Stop', '#stop')}`
      : its('Open', '');
  };
  return {
    title: 'Reminders',
    current: 'More',
    isWide: true,
    live: ['reminder', 'customer'],
    main: html`<div class="head"><h1>Reminders</h1>${filterLinks(reminderFilters, path, filter)}</div>${table(
      {
        head: [
          'Due',
          'Customer',
          'Phone',
          'Car',
          'Partner',
          ...(filter === 'due' ? [] : ['Sent']),
          'State',
          '',
        ],
        rows: reminders.map((reminder) => [
          html`<a href="${path}/${reminder.id}">${localDateTime(reminder.dueAt, timezone)}</a>`,
          html`<a href="${base}/customers/${reminder.customerId}">${nameShown(reminder.customer, workshop)}</a>`,
          phoneLink(reminder.phone, workshop),
          textShown(carShown(reminder), workshop),
          reminder.partner,
          ...(filter === 'due'
            ? []
            : [reminder.sentAt === null ? '' : localDateTime(reminder.sentAt, timezone)]),
          html`${reminderMark(reminder)} ${optedOutMark(reminder)}`,
          waysOf(reminder),
        ]),
        next: reminders.length < listedAtMost || !last ? null : `${path}?filter=${filter}&after=${last.id}`,
        empty: empties[filter],
      },
    )}`,
  };
}

const empties: Readonly<Record<ReminderFilter, string>> = {
  due: 'No reminder is to be sent.',
  sent: 'None was sent that has not led to a booking.',
  booked: 'None has led to a booking yet.',
  stopped: 'None was stopped.',
  failed: 'None failed.',
};
