/** `pitlane reminder …`: the service reminders of workshops. */
import type { Command } from 'commander';
import type { ReminderSearch } from '#reminders/own/find.ts';
import type { WorkshopReminder } from '#reminders/own/store.ts';
import { details } from './output.ts';
import { list } from './paging.ts';
import { withSession } from './session.ts';
import { at } from './times.ts';
import { group, verb } from './verb.ts';
import { type Typed, withWorkshop, workshopOf } from './workshop-option.ts';

export function registerReminder(program: Command): void {
  const reminder = group(program, 'reminder', 'service reminders of workshops', [
    'reminder list --workshop carlton-motors --status scheduled',
    'reminder show 7K3M9QXW',
  ]);
  const listed = list<WorkshopReminder, Typed<ReminderSearch>>(reminder, {
    usage: 'list',
    summary: 'list the service reminders of a workshop, the newest first',
    examples: [
      'reminder list --workshop carlton-motors',
      'reminder list --workshop carlton-motors --status failed --json',
    ],
    what: 'reminder',
    cursor: 'before',
    columns: async () => columnsBy((await import('#values/phone.ts')).phoneIn),
    cursorOf: ({ id }) => id,
    async open(session, _, search) {
      const { db } = session;
      const { readReminderSearch } = await import('#reminders/own/find.ts');
      const { listWorkshopReminders } = await import('#reminders/own/store.ts');
      const wanted = await readReminderSearch(db, {
        ...search,
        workshop: (await workshopOf(session, search.workshop)).workshopId,
      });
      return ({ cursor: before, limit }) => listWorkshopReminders(db, { ...wanted, before, limit });
    },
  });
  withWorkshop(listed)
    .option('--status <status>', 'scheduled, sent, failed, booked or cancelled; all unless given')
    .option('--customer <id>', 'of one customer only')
    .option('--partner <id>', 'of one partner only');

  const show = {
    usage: 'show <reminder>',
    summary: 'show a service reminder, by its id or code',
    examples: ['reminder show 7K3M9QXW', 'reminder show 0198c6ac-… --json'],
    times: true,
  };
  verb(reminder, show, ([idOrCode = '']) =>
    withSession(async ({ db }) => {
      const { requireReminder } = await import('#reminders/own/find.ts');
      const { phoneIn } = await import('#values/phone.ts');
      const found = await requireReminder(db, idOrCode);
      return { json: found, text: details(shown(found, phoneIn)) };
    }),
  );
}

type PhoneIn = typeof import('#values/phone.ts').phoneIn;

const phoneOf = ({ customer, country }: WorkshopReminder, phoneIn: PhoneIn) =>
  customer.phone && phoneIn(country, customer.phone);

function shown(found: WorkshopReminder, phoneIn: PhoneIn) {
  const { customer, car, timezone, ...reminder } = found;
  return {
    reminderId: reminder.id,
    code: reminder.code,
    status: reminder.status,
    dueDate: at(reminder.dueDate, timezone),
    sentAt: at(reminder.sentAt, timezone),
    customer: customer.name,
    phone: phoneOf(found, phoneIn),
    car: car?.rego,
    customerId: reminder.customerId,
    lastBookingId: reminder.lastBookingId,
    newBookingId: reminder.newBookingId,
    externalId: reminder.externalId,
    partner: reminder.partner,
    workshopId: reminder.workshopId,
    createdAt: at(reminder.createdAt, timezone),
    updatedAt: at(reminder.updatedAt, timezone),
  };
}

const columnsBy = (phoneIn: PhoneIn) => ({
  CODE: (row: WorkshopReminder) => row.code,
  STATUS: (row: WorkshopReminder) => row.status,
  DUE: (row: WorkshopReminder) => at(row.dueDate, row.timezone),
  SENT: (row: WorkshopReminder) => at(row.sentAt, row.timezone),
  CUSTOMER: (row: WorkshopReminder) => row.customer.name,
  PHONE: (row: WorkshopReminder) => phoneOf(row, phoneIn),
  CAR: (row: WorkshopReminder) => row.car?.rego,
  BOOKED: (row: WorkshopReminder) => row.newBookingId !== null,
  PARTNER: (row: WorkshopReminder) => row.partner,
});
