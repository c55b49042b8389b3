/** GET /workshops/{id}/services (areas, section 3). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { partnerProblems, partnerSecurity } from '#http/openapi.ts';
import { workshopPath } from '#workshops/access/path.ts';
import { catalogueExamples } from './examples.ts';
import { readServices } from './read.ts';
import { CatalogueAnswer } from './schema.ts';

export function catalogueRoutes({ db }: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/workshops/:id/services',
      {
        schema: {
          operationId: 'listServices',
          tags: ['Service catalogue'],
          summary: 'List the services of a workshop',
          description:
            'All that are on offer, and the four categories with their daily limits; also where the link is switched off.',
          examples: catalogueExamples,
          security: partnerSecurity,
          params: Type.Object(workshopPath),
          response: { 200: CatalogueAnswer, ...partnerProblems({ 404: ['030001'] }) },
        },
      },
      async ({ partnerId, params }) => readServices(db, partnerId, params.id),
    );
  };
}
