/** Examples of reading workshops, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';

export const listWorkshopsExamples: { answer: Examples } = {
  answer: {
    one: {
      summary: 'One workshop',
      value: {
        success: true,
        workshops: [
          {
            id: exampleIds.workshop,
            name: 'Yarra Street Motors',
            slug: 'yarra-street-motors',
            country: 'AU',
            timezone: 'Australia/Melbourne',
            phone: '+61355500101',
            partnerIntegrationEnabled: true,
            inboxMessagingEnabled: true,
            enforceAvailability: false,
          },
        ],
        nextCursor: null,
      },
    },
  },
};
