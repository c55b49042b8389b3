/** Examples of the sandbox, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

export const listMessagesExamples: { answer: Examples } = {
  answer: {
    one: {
      summary: 'One SMS',
      value: {
        messages: [
          {
            id: exampleIds.message,
            channel: 'sms',
            outcome: 'accepted',
            to: '+61491570313',
            from: 'sandbox',
            subject: null,
            body: 'Your car is ready to collect.',
            html: null,
            calendar: null,
            ...{ encoding: 'gsm7', segments: 1, cost: null },
            reference: exampleIds.attempt,
            at: '2030-02-20T01:15:30.310Z',
          },
        ],
        nextCursor: null,
      },
    },
  },
};

export const conversationExamples: { answer: Examples } = {
  answer: {
    answered: {
      summary: 'A question and its answer',
      value: {
        messages: [
          {
            ...{ id: exampleIds.message, direction: 'outbound', outcome: 'accepted', from: 'sandbox' },
            ...{ to: '+61491570313', body: 'Is 5 pm fine?', encoding: 'gsm7', segments: 1, cost: null },
            at: '2030-02-20T01:15:30.310Z',
          },
          {
            ...{ id: exampleIds.attempt, direction: 'inbound', outcome: 'accepted', from: '+61491570313' },
            ...{ to: 'Harbour Motors', body: 'Yes please.', encoding: 'gsm7', segments: 1, cost: null },
            at: '2030-02-20T01:17:02.000Z',
          },
        ],
      },
    },
  },
};

const moved: Examples = {
  moved: {
    summary: 'Moved forward by 48 hours',
    value: { now: '2030-02-22T01:15:30.310Z', advanceSeconds: 172_800 },
  },
};

export const getClockExamples: { answer: Examples } = { answer: moved };

export const resetClockExamples: { answer: Examples } = {
  answer: {
    now: { summary: 'Not moved', value: { now: '2030-02-20T01:15:30.310Z', advanceSeconds: 0 } },
  },
};

export const advanceClockExamples: { body: Examples; answer: Examples } = {
  body: {
    token: { summary: 'The 48 hours of a token', value: { advanceSeconds: 172_800 } },
    hour: { summary: 'One hour', value: { advanceSeconds: 3_600 } },
  },
  answer: moved,
};

export const inboundExamples: { body: Examples; answer: Examples } = {
  body: {
    answer: { summary: 'An answer', value: { from: '0491570313', body: 'Yes please, 5 pm is fine.' } },
    stop: { summary: 'An opt-out', value: { from: '0491570313', body: 'Stop.' } },
    start: { summary: 'And its end', value: { from: '0491570313', body: 'START' } },
  },
  answer: {
    placed: {
      summary: 'Put into its conversation',
      value: {
        placed: true,
        workshopId: exampleIds.workshop,
        customerId: exampleIds.customer,
        conversationId: exampleIds.conversation,
        messageId: exampleIds.message,
      },
    },
  },
};
