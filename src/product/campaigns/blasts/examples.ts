/** Examples of blasts, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const draft = {
  id: exampleIds.blast,
  name: 'Winter tyres',
  templateId: exampleIds.template,
  audience: { lastVisitBefore: '2029-12-01', serviceCategories: ['tyres'] },
  status: 'draft',
  scheduledAt: null,
  startedAt: null,
  endedAt: null,
  counts: { recipients: 0, waiting: 0, sent: 0, delivered: 0, failed: 0, unknown: 0, skipped: 0 },
  createdAt: '2030-04-20T01:15:30.125Z',
  updatedAt: '2030-04-20T01:15:30.125Z',
};
const sending = {
  ...draft,
  status: 'sending',
  scheduledAt: '2030-05-01T00:00:00.000Z',
  startedAt: '2030-05-01T00:00:00.412Z',
  counts: { recipients: 840, waiting: 610, sent: 226, delivered: 190, failed: 3, unknown: 0, skipped: 1 },
  updatedAt: '2030-05-01T00:00:00.412Z',
};
const scheduled = { ...draft, status: 'scheduled', scheduledAt: '2030-05-01T00:00:00.000Z' };

export const listBlastsExamples: { answer: Examples } = {
  answer: {
    two: {
      summary: 'The last page',
      value: { success: true, blasts: [sending], nextCursor: null },
    },
  },
};

export const getBlastExamples: { answer: Examples } = {
  answer: { sending: { summary: 'In the middle', value: { success: true, blast: sending } } },
};

export const triggerBlastExamples: { body: Examples; answer: Examples } = {
  body: {
    later: {
      summary: 'At a time',
      value: { scheduledAt: '2030-05-01T00:00:00Z', referenceId: 'winter-2030' },
    },
    now: { summary: 'Now', value: {} },
  },
  answer: { scheduled: { summary: 'It will begin then', value: { success: true, blast: scheduled } } },
};
