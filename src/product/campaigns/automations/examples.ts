/** Examples of automations, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const automation = {
  id: exampleIds.automation,
  name: 'Thank you',
  trigger: { type: 'bookingCompleted', offsetMinutes: 120 },
  conditions: { serviceCategories: ['service', 'repair'] },
  templateId: exampleIds.template,
  quietHours: { from: '20:00', to: '08:00' },
  status: 'active',
  createdAt: '2030-02-20T01:15:30.125Z',
  updatedAt: '2030-02-20T01:15:30.125Z',
};
const run = {
  id: exampleIds.run,
  automationId: exampleIds.automation,
  customerId: exampleIds.customer,
  bookingId: exampleIds.booking,
  referenceId: 'thanks-1001',
  status: 'scheduled',
  reason: null,
  dueAt: '2030-03-05T06:00:00.000Z',
  sentAt: null,
  messageId: null,
};

export const listAutomationsExamples: { answer: Examples } = {
  answer: {
    one: {
      summary: 'The last page',
      value: { success: true, automations: [automation], nextCursor: null },
    },
  },
};

export const triggerAutomationExamples: { body: Examples; answer: Examples } = {
  body: {
    customer: {
      summary: 'For a customer, about a booking',
      value: { customerId: exampleIds.customer, bookingId: exampleIds.booking, referenceId: 'thanks-1001' },
    },
    phone: { summary: 'For a phone', value: { phone: '0491570313' } },
  },
  answer: {
    scheduled: { summary: 'It will be sent', value: { success: true, run } },
    skipped: {
      summary: 'The automation is paused',
      value: { success: true, run: { ...run, status: 'skipped', reason: 'paused' } },
    },
  },
};
