/**
 * WHAT A SERVICE REMINDER IS, ON ONE PAGE: `src/platform/records/` serves from this every edge that reminders share with other
 * records.
 */

import { externalId, fewIn, idIn } from '#platform/records/filters.ts';
import type { RecordType, StaffRow } from '#platform/records/record.ts';
import { readReminderCode } from '#product/bookings/reminder-code/code.ts';
import { changedReminder } from '#product/bookings/reminder-code/snapshot.ts';
import { ofCustomer } from '#product/customers/records.ts';
import { ofWorkshop, staffProjection } from '#product/workshops/records.ts';
import type { KnownCustomer } from './known.ts';
import { reminderStatuses, type ServiceReminder } from './schema.ts';

/** A reminder with the fields that only its workshop sees. */
export type WorkshopReminder = ServiceReminder & StaffRow;

const erasedCustomer: KnownCustomer = {
  name: 'Erased',
  ...{ firstName: null, lastName: null, email: null, phone: null, company: null },
  ...{ address: null, postcode: null, suburb: null },
};

export const reminderRecord: RecordType<
  ServiceReminder,
  WorkshopReminder,
  'serviceReminder',
  'serviceReminders'
> = {
  ...changedReminder,
  ...{ plural: 'serviceReminders', noun: 'reminder', list: 'service_reminder' },
  state: { name: 'status', all: reminderStatuses },
  order: 'id',
  hasFeed: true,
  readCode: readReminderCode,
  notFound: '080001',
  staff: {
    ...staffProjection(changedReminder.partner),
    filters: { partner: idIn('partner_id'), customer: fewIn('customer_id') },
  },
  filters: { workshopId: ofWorkshop, customerId: fewIn('customer_id'), externalId },
  events: [
    'serviceReminder.scheduled',
    'serviceReminder.sent',
    'serviceReminder.failed',
    'serviceReminder.booked',
    'serviceReminder.cancelled',
  ],
  retention: { days: 'remindersKeptDays', since: 'updated_at', where: `status <> 'scheduled'` },
  erasure: {
    rows: ofCustomer,
    phone: null,
    // Scheduled reminders end as failed when they are due.
    set: () => ({
      car: `car || '{"rego":"ERASED","vin":null}'::jsonb`,
      customer: `'${JSON.stringify(erasedCustomer)}'::jsonb`,
    }),
  },
  people: {
    columns: {
      CODE: ({ code }) => code,
      STATUS: ({ status }) => status,
      DUE: ({ dueDate }, { time }) => time(dueDate),
      SENT: ({ sentAt }, { time }) => time(sentAt),
      CUSTOMER: ({ customer }, { name }) => name(customer.name),
      PHONE: ({ customer }, { phone }) => phone(customer.phone),
      CAR: ({ car }) => car?.rego,
      BOOKED: ({ newBookingId }) => newBookingId !== null,
      PARTNER: ({ partner }) => partner,
    },
    details: (reminder, { time, phone, name }) => ({
      reminderId: reminder.id,
      code: reminder.code,
      status: reminder.status,
      dueDate: time(reminder.dueDate),
      sentAt: time(reminder.sentAt),
      customer: name(reminder.customer.name),
      phone: phone(reminder.customer.phone),
      car: reminder.car?.rego,
      customerId: reminder.customerId,
      lastBookingId: reminder.lastBookingId,
      newBookingId: reminder.newBookingId,
      externalId: reminder.externalId,
      partner: reminder.partner,
      workshopId: reminder.workshopId,
      createdAt: time(reminder.createdAt),
      updatedAt: time(reminder.updatedAt),
    }),
  },
};
