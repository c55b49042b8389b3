/** Examples of the service catalogue, for the API document. */
import { type Examples, exampleIds } from '#platform/http/openapi-examples.ts';
import { categoryLabels, serviceCategories } from './categories.ts';

export const catalogueExamples: { answer: Examples } = {
  answer: {
    one: {
      summary: 'One service, and a limit for tyres',
      value: {
        success: true,
        categories: serviceCategories.map((code) => ({
          code,
          label: categoryLabels[code],
          dailyLimit: code === 'tyres' ? 6 : null,
        })),
        services: [
          {
            _id: exampleIds.service,
            catalogCode: 'logbook',
            title: 'Logbook service',
            category: 'service',
            cost: 199,
            maxCost: 399,
            icon: 'clipboard',
            color: 'blue',
            dailyLimit: 4,
            durationMinutes: 90,
          },
        ],
      },
    },
  },
};
