/** Examples of the request log, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

const body = { workshopId: exampleIds.workshop, carRego: 'ABC123', customerNmae: 'Sam Taylor' };

export const listRequestsExamples: { answer: Examples } = {
  answer: {
    one: {
      summary: 'A booking that was refused, and the field that was misspelt',
      value: {
        requests: [
          {
            id: '0198f3a2-7e56-7d20-a1b7-93f4c8de5103',
            at: '2030-02-20T01:15:30.310Z',
            method: 'POST',
            path: '/bookings',
            operationId: 'createBooking',
            partnerId: exampleIds.partner,
            status: 400,
            durationMs: 1.4,
            ignoredFields: ['customerNmae'],
            replayed: false,
            errorCode: '000001',
            message: 'customerName: is required (and 1 more)',
            errors: [
              { field: 'customerName', message: 'is required' },
              { field: 'bookingTime', message: 'is required' },
            ],
            requestBody: JSON.stringify(body),
            responseBody: '{"success":false,"errorCode":"000001"}',
          },
        ],
        redacted: false,
        processId: exampleIds.run,
      },
    },
  },
};
