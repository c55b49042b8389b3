/** The operations of service reminders (specification: Service reminders). */
import { Type } from 'typebox';
import { out, ref } from '#platform/http/fields.ts';
import { exampleIds } from '#platform/http/openapi-examples.ts';
import { operation } from '#platform/http/operation.ts';
import { pageOfItems } from '#platform/http/paging.ts';
import {
  cancelServiceReminderDetails,
  createServiceReminderDetails,
  getServiceReminderDetails,
  listServiceRemindersDetails,
} from './details.ts';
import {
  cancelReminderExamples,
  createReminderExamples,
  getReminderExamples,
  listRemindersExamples,
} from './examples.ts';
import {
  CreateReminderBody,
  ListRemindersQuery,
  ReminderAnswerRef,
  SentReminderAnswerRef,
  ServiceReminder,
} from './schema.ts';

const ReminderPath = Type.Object({
  id: out.string({
    description: "The reminder's id, or its code in any notation.",
    examples: [exampleIds.reminder],
  }),
});

export const createServiceReminder = operation({
  id: 'createServiceReminder',
  method: 'POST',
  path: '/reminders/services',
  tag: 'Reminders',
  access: 'partner',
  summary: 'Remind a customer of a service',
  description:
    'An SMS with a link and a code to book again, sent while you wait, or with `sendAt` at that time. 201 with `success: false` means ' +
    'that the request was valid but the SMS was not sent: always check `sms.sent`. With an `Idempotency-Key`, a reminder that was ' +
    'sent is not sent again, and one that failed is attempted again. Shares the 5 requests a second of its workshop and customer with messages.',
  details: createServiceReminderDetails,
  checksBody: true,
  keyIsReference: true,
  body: CreateReminderBody,
  success: { status: 201, schema: SentReminderAnswerRef },
  refusals: {
    400: ['060001'],
    403: ['000003', '000004'],
    404: ['030001', '040001', '060001'],
    409: ['000009'],
    429: [],
  },
  examples: createReminderExamples,
});

export const getServiceReminder = operation({
  id: 'getServiceReminder',
  method: 'GET',
  path: '/reminders/services/{id}',
  tag: 'Reminders',
  access: 'partner',
  summary: 'Read a service reminder',
  description: 'One of yours, by its id or by the code that the customer reads out.',
  details: getServiceReminderDetails,
  params: ReminderPath,
  success: { status: 200, schema: ReminderAnswerRef },
  refusals: { 404: ['080001'] },
  examples: getReminderExamples,
});

export const listServiceReminders = operation({
  id: 'listServiceReminders',
  method: 'GET',
  path: '/reminders/services',
  tag: 'Reminders',
  access: 'partner',
  summary: 'List your service reminders',
  description:
    'Newest first. With `updatedSince` it is a feed of changes, oldest first, whose `nextCursor` is never null: keep it ' +
    'and ask with it again to get what changed since. A cursor goes with the filters of the request that gave it.',
  details: listServiceRemindersDetails,
  query: ListRemindersQuery,
  success: {
    status: 200,
    schema: pageOfItems('serviceReminders', ref(ServiceReminder), 'A page of reminders.'),
  },
  refusals: { 404: ['030001'] },
  examples: listRemindersExamples,
});

export const cancelServiceReminder = operation({
  id: 'cancelServiceReminder',
  method: 'POST',
  path: '/reminders/services/{id}/cancel',
  tag: 'Reminders',
  access: 'partner',
  summary: 'Cancel a scheduled reminder',
  description: 'Before its SMS is sent; afterwards, and a second time, it is refused. The body may be empty.',
  details: cancelServiceReminderDetails,
  emptyBody: true,
  params: ReminderPath,
  body: Type.Object({}),
  success: { status: 200, schema: ReminderAnswerRef },
  refusals: { 403: ['000004'], 404: ['080001'], 409: ['080002'] },
  examples: { body: { empty: { summary: 'Nothing to add', value: {} } }, ...cancelReminderExamples },
});
