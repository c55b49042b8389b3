/** Wire shapes of service reminders. */
import { type Static, Type } from 'typebox';
import {
  anyText,
  instant,
  nullable,
  nullableRef,
  optional,
  optionalPhone,
  out,
  ref,
  text,
  times,
  word,
} from '#platform/http/fields.ts';
import { pageQuery } from '#platform/http/paging.ts';
import { SmsOutcome } from '#product/messaging/schema.ts';
import { Car, Customer } from '#product/orders/schema.ts';

export const reminderStatuses = ['scheduled', 'sent', 'failed', 'booked', 'cancelled'] as const;

const statusOf = (description: string) => word(reminderStatuses, { description, examples: ['sent'] });

export const CreateReminderBody = Type.Object({
  workshopId: text({ description: 'The workshop, from GET /workshops.' }),
  customerId: optional(
    anyText({ description: 'The customer; when it is omitted, `customerPhone` is used.' }),
  ),
  customerPhone: optionalPhone({
    description: 'Used when customerId is omitted; the customer is found or made.',
  }),
  customerName: optional(anyText({ description: 'How to address the customer.', examples: ['Ava Nguyen'] })),
  carRego: optional(
    anyText({
      max: 32,
      of: 'spaced',
      description: 'Which car; else that of the last booking.',
      examples: ['1AB2CD'],
    }),
  ),
  lastBookingId: optional(
    anyText({
      description:
        "A booking of yours for this customer; else your latest one of the customer's that is not cancelled.",
    }),
  ),
  externalId: optional(anyText({ description: 'Your own reference.', examples: ['SERVICE-1001'] })),
  sendAt: optional(instant({ description: 'When to send it; at once unless it lies ahead.' })),
});
export type CreateReminderBody = Static<typeof CreateReminderBody>;

export const ListRemindersQuery = Type.Object({
  workshopId: Type.Optional(anyText({ description: 'Of one workshop only.' })),
  customerId: Type.Optional(anyText({ description: 'Of one customer only.' })),
  status: Type.Optional(statusOf('In this status only.')),
  externalId: Type.Optional(anyText({ description: 'With this reference of yours only.' })),
  updatedSince: Type.Optional(
    instant({
      description:
        'Reminders made or changed at this instant or later, as a feed: in the order in which the changes became visible. ' +
        'Its `nextCursor` is never null: keep it, and ask with it for what changed since.',
    }),
  ),
  ...pageQuery,
});
export type ListRemindersQuery = Static<typeof ListRemindersQuery>;

export const ServiceReminder = Type.Object(
  {
    id: out.uuid("The reminder's reference for every later call."),
    code: out.string({
      description: 'Eight characters with which the customer books again.',
      examples: ['7K3M9QXW'],
    }),
    carId: nullable(out.uuid('The car; null where none is known.')),
    customerId: out.uuid('The customer.'),
    workshopId: out.uuid('The workshop.'),
    lastServiceId: nullable(out.uuid({ description: 'The first catalogue service of the last booking.' })),
    lastBookingId: nullable(out.uuid('The booking that it follows.')),
    newBookingId: nullable(out.uuid({ description: 'The booking that was made with the code.' })),
    externalId: nullable(out.string('Your own reference.')),
    car: nullableRef(Car, 'The car; null where none is known.'),
    customer: ref(Customer),
    status: statusOf('Where it stands.'),
    dueDate: out.instant({
      description: 'When it was or is to be sent: the `sendAt` that lies ahead, else when it was made.',
    }),
    sentAt: nullable(out.instant('When it was sent; null before.')),
    ...times,
  },
  { $id: 'ServiceReminder', description: 'A reminder of the next service.' },
);
export type ServiceReminder = Static<typeof ServiceReminder>;

const SentReminderAnswer = Type.Object(
  {
    success: out.boolean({ description: 'Whether the SMS was sent; true for one that is scheduled.' }),
    serviceReminder: ref(ServiceReminder),
    sms: nullableRef(SmsOutcome, 'The outcome of its SMS; null while it is scheduled.'),
  },
  {
    $id: 'SentReminderAnswer',
    description: 'The reminder, and the outcome of its SMS: null while it is scheduled.',
  },
);
export type SentReminderAnswer = Static<typeof SentReminderAnswer>;
export const SentReminderAnswerRef = ref(SentReminderAnswer);

const ReminderAnswer = Type.Object(
  { success: out.success(true), serviceReminder: ref(ServiceReminder) },
  { $id: 'ReminderAnswer', description: 'The reminder as it is now.' },
);
export const ReminderAnswerRef = ref(ReminderAnswer);

export const reminderComponents = [ServiceReminder, SentReminderAnswer, ReminderAnswer];
