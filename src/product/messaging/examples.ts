/** Examples of messaging, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const ids = { messageId: exampleIds.message, conversationId: exampleIds.conversation };
const text = 'Your car is ready to collect.';

export const sendMessageExamples: { body: Examples; answer: Examples } = {
  body: {
    text: {
      summary: 'Free text to a customer',
      value: {
        customerId: exampleIds.customer,
        channels: { sms: { message: text } },
        referenceId: 'READY-1001',
      },
    },
    phone: {
      summary: 'Free text to a phone number',
      value: { phone: '0491 570 313', channels: { sms: { message: text } } },
    },
    template: {
      summary: 'A template',
      value: { customerId: exampleIds.customer, channels: { sms: { templateId: exampleIds.template } } },
    },
  },
  answer: {
    sent: {
      summary: 'The SMS was sent',
      value: {
        success: true,
        referenceId: 'READY-1001',
        sms: { sent: true, message: 'The SMS was sent.', ...ids, reason: null },
      },
    },
    notSent: {
      summary: 'The request was valid, the SMS was not sent',
      value: {
        success: false,
        referenceId: 'READY-1001',
        sms: {
          sent: false,
          message: 'Not sent: the customer has opted out of messages from this workshop.',
          ...ids,
          reason: 'optedOut',
        },
      },
    },
  },
};

export const getMessageExamples: { answer: Examples } = {
  answer: {
    delivered: {
      summary: 'A message that was delivered',
      value: {
        success: true,
        message: {
          id: exampleIds.message,
          workshopId: exampleIds.workshop,
          conversationId: exampleIds.conversation,
          customerId: exampleIds.customer,
          bookingId: null,
          templateId: null,
          templateVersion: null,
          referenceId: 'READY-1001',
          direction: 'outbound',
          phone: '+61491570313',
          body: text,
          encoding: 'gsm7',
          segments: 1,
          state: 'delivered',
          reason: null,
          detail: null,
          attempts: [
            {
              number: 1,
              state: 'accepted',
              reason: null,
              detail: null,
              repeatsUnknown: false,
              startedAt: '2030-02-20T01:15:30.125Z',
              finishedAt: '2030-02-20T01:15:30.310Z',
            },
          ],
          createdAt: '2030-02-20T01:15:30.125Z',
          updatedAt: '2030-02-20T01:15:34.002Z',
        },
      },
    },
  },
};

export const listTemplatesExamples: { answer: Examples } = {
  answer: {
    one: {
      summary: 'One template',
      value: {
        success: true,
        templates: [
          {
            id: exampleIds.template,
            name: 'Please call us',
            body: 'Hi {{ customer.firstName }}, please call {{ workshop.name }} on {{ workshop.phone }}.',
            placeholders: ['customer.firstName', 'workshop.name', 'workshop.phone'],
            requiresBooking: false,
            status: 'published',
            updatedAt: '2030-02-01T00:00:00.000Z',
          },
        ],
        nextCursor: null,
      },
    },
  },
};
