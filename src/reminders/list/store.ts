/** SQL of a partner's reminders: the list, newest first, and the feed of changes. */
import { reminderJson } from '#bookings/reminder-code/snapshot.ts';
import { fewIds, newestIds, type OwnTable, ownRows } from '#feed/list/store.ts';
import { type ReminderStatus, reminderStatuses, type ServiceReminder } from '../schema.ts';

/** The filters of a list; an absent one filters nothing. */
export interface ReminderFilters {
  readonly workshopId?: string;
  readonly customerId?: string;
  readonly status?: ReminderStatus;
  readonly externalId?: string;
}

type Name = 'workshopId' | 'customerId' | 'externalId';

const reminders: OwnTable<Name> = {
  table: 'service_reminder',
  statuses: reminderStatuses,
  columns: {
    workshopId: { type: 'uuid', is: (value) => `row.workshop_id = ${value}` },
    customerId: { type: 'uuid', is: (value) => `row.customer_id = ${value}` },
    externalId: { type: 'text', is: (value) => `row.external_id = ${value}` },
  },
  item: reminderJson('row'),
  joins: '',
  ids({ conditions }, isSet) {
    const byFew = isSet('externalId') || isSet('customerId');
    return { ids: (byFew ? fewIds : newestIds)('service_reminder', conditions) };
  },
};

export const reminderRows = ownRows<Name, ReminderFilters, ServiceReminder>(reminders);
