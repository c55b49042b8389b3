/** Examples of service reminders, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const serviceReminder = {
  id: exampleIds.reminder,
  code: '7K3M9QXW',
  carId: exampleIds.car,
  customerId: exampleIds.customer,
  workshopId: exampleIds.workshop,
  lastServiceId: null,
  lastBookingId: exampleIds.booking,
  newBookingId: null,
  externalId: 'SERVICE-1001',
  car: {
    id: exampleIds.car,
    customerId: exampleIds.customer,
    rego: '1AB2CD',
    year: 2019,
    make: 'Toyota',
    model: 'Corolla',
    badge: null,
    vin: null,
  },
  customer: {
    id: exampleIds.customer,
    workshopId: exampleIds.workshop,
    name: 'Ava Nguyen',
    firstName: 'Ava',
    lastName: 'Nguyen',
    email: null,
    phone: '+61491570313',
    company: null,
    address: null,
    postcode: null,
    suburb: null,
  },
  status: 'sent',
  dueDate: '2030-02-20T01:15:30.125Z',
  sentAt: '2030-02-20T01:15:30.480Z',
  createdAt: '2030-02-20T01:15:30.125Z',
  updatedAt: '2030-02-20T01:15:30.480Z',
};

const sms = {
  sent: true,
  message: 'The SMS was sent.',
  messageId: exampleIds.message,
  conversationId: exampleIds.conversation,
  reason: null,
};

const scheduled = {
  ...serviceReminder,
  status: 'scheduled',
  dueDate: '2030-08-20T00:00:00.000Z',
  sentAt: null,
};

export const createReminderExamples: { body: Examples; answer: Examples } = {
  body: {
    now: {
      summary: 'At once',
      value: {
        workshopId: exampleIds.workshop,
        customerPhone: '0491 570 313',
        customerName: 'Ava Nguyen',
        carRego: '1AB2CD',
        externalId: 'SERVICE-1001',
      },
    },
    later: {
      summary: 'In half a year',
      value: {
        workshopId: exampleIds.workshop,
        customerPhone: '0491 570 313',
        sendAt: '2030-08-20T10:00:00+10:00',
      },
    },
  },
  answer: {
    sent: { summary: 'It was sent', value: { success: true, serviceReminder, sms } },
    refused: {
      summary: 'It was not sent',
      value: {
        success: false,
        serviceReminder: { ...serviceReminder, status: 'failed', sentAt: null },
        sms: {
          ...sms,
          sent: false,
          message: 'Not sent: the customer has opted out of messages from this workshop.',
          reason: 'optedOut',
        },
      },
    },
    scheduled: {
      summary: 'It is scheduled',
      value: { success: true, serviceReminder: scheduled, sms: null },
    },
  },
};

export const getReminderExamples: { answer: Examples } = {
  answer: {
    booked: {
      summary: 'The customer has booked with the code',
      value: {
        success: true,
        serviceReminder: { ...serviceReminder, status: 'booked', newBookingId: exampleIds.booking },
      },
    },
  },
};

export const cancelReminderExamples: { answer: Examples } = {
  answer: {
    cancelled: {
      summary: 'It will not be sent',
      value: { success: true, serviceReminder: { ...scheduled, status: 'cancelled' } },
    },
  },
};

export const listRemindersExamples: { answer: Examples } = {
  answer: {
    last: {
      summary: 'The last page',
      value: { success: true, serviceReminders: [serviceReminder], nextCursor: null },
    },
  },
};
