/** GET /workshops/{id}/availabilities (areas, section 2). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { partnerProblems, partnerSecurity } from '#http/openapi.ts';
import { workshopPath } from '#workshops/access/path.ts';
import { availabilityExamples } from './examples.ts';
import { readAvailability } from './read.ts';
import { AvailabilityAnswer, AvailabilityQuerystring } from './schema.ts';

export function availabilityRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/workshops/:id/availabilities',
      {
        schema: {
          operationId: 'listAvailabilities',
          tags: ['Availabilities'],
          summary: 'List the free times of a workshop',
          description:
            'At most seven days. `slots` holds what can be booked now, for the service or category that is named; with `explain` ' +
            'every other time comes with the reason why it is not free.',
          examples: availabilityExamples,
          security: partnerSecurity,
          params: Type.Object(workshopPath),
          querystring: AvailabilityQuerystring,
          response: { 200: AvailabilityAnswer, ...partnerProblems({ 403: ['000004'], 404: ['030001'] }) },
        },
      },
      async ({ partnerId, params, query }) =>
        readAvailability(context, { partnerId, workshopId: params.id, ...query }),
    );
  };
}
