/** Examples of webhooks, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const webhook = {
  id: exampleIds.webhook,
  url: 'https://partner.example/pitlane',
  method: 'POST',
  actions: ['bookingCreate', 'bookingCancelled'],
  workshopId: null,
  description: 'Production',
  status: 'enabled',
  disabledReason: null,
  maxConcurrent: 5,
  createdAt: '2030-02-20T01:15:30.125Z',
  updatedAt: '2030-02-20T01:15:30.125Z',
};
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDp0Oq3vD9Wh4=';

const delivery = {
  id: exampleIds.delivery,
  eventId: exampleIds.event,
  action: 'bookingCreate',
  status: 'waiting',
  attempts: [
    {
      at: '2030-02-20T01:15:31.004Z',
      responseStatus: 503,
      durationMs: 41,
      error: 'the receiver answered 503',
    },
  ],
  nextAttemptAt: '2030-02-20T01:15:36.418Z',
  createdAt: '2030-02-20T01:15:30.960Z',
};
const delivered = {
  ...delivery,
  status: 'delivered',
  attempts: [{ at: '2030-02-20T01:15:31.004Z', responseStatus: 200, durationMs: 38, error: null }],
  nextAttemptAt: null,
};

const { url, actions, description } = webhook;
const one = (value: object): Examples => ({ webhook: { summary: 'The endpoint', value } });

export const createWebhookExamples: { body: Examples; answer: Examples } = {
  body: {
    all: { summary: 'Of all workshops', value: { url, actions, description } },
    workshop: {
      summary: 'Of one workshop, by PUT',
      value: { url, method: 'PUT', actions: ['messageReceived'], workshopId: exampleIds.workshop },
    },
  },
  answer: { created: { summary: 'With its secret', value: { success: true, webhook, secret } } },
};

export const webhookExamples = { answer: one({ success: true, webhook }) };

export const listWebhooksExamples = {
  answer: one({ success: true, webhooks: [webhook], nextCursor: null }),
};

export const updateWebhookExamples = {
  body: {
    more: { summary: 'More at the same time', value: { maxConcurrent: 20 } },
    disable: { summary: 'Disable it', value: { status: 'disabled' } },
  },
  answer: one({ success: true, webhook: { ...webhook, maxConcurrent: 20 } }),
};

export const rotateSecretExamples = { answer: one({ success: true, webhook, secret }) };

export const testWebhookExamples = {
  answer: {
    delivered: {
      summary: 'What came back',
      value: {
        success: true,
        delivery: { ...delivered, action: 'test', eventId: delivered.id },
      },
    },
  },
};

export const listDeliveriesExamples = {
  answer: {
    page: {
      summary: 'One that is tried again',
      value: { success: true, deliveries: [delivery], nextCursor: null },
    },
  },
};

export const noBody: Examples = { none: { summary: 'Nothing is needed', value: {} } };

export const replayBody: Examples = {
  failed: {
    summary: 'Those that failed',
    value: { since: '2030-02-20T00:00:00.000Z', status: 'failed' },
  },
};
export const replayExamples = {
  answer: { queued: { summary: 'They are queued', value: { success: true, deliveries: 1 } } },
};

export const listEventsExamples = {
  answer: {
    page: {
      summary: 'An opt-out',
      value: {
        success: true,
        events: [
          {
            id: exampleIds.event,
            action: 'customerOptedOut',
            timestamp: 1_897_780_530,
            version: 3,
            customer: {
              id: exampleIds.customer,
              phone: '+61491570313',
              workshopId: exampleIds.workshop,
              version: 1,
            },
          },
        ],
        nextCursor: 'MSAxMjM0NSAwMTk4ZjNhMi03ZTVhLTdjMjMtOWU2Ni04M2QyMGI1ZjRhMDc',
      },
    },
  },
};
