/** GET /workshops/{id}/templates: the templates that a message can name (document, 4.5; decisions, section 5). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { out, ref } from '#http/fields.ts';
import { partnerProblems, partnerSecurity } from '#http/openapi.ts';
import { exampleIds } from '#http/openapi-examples.ts';
import { cutPage, pageOf, pageQuery } from '#http/paging.ts';
import { listPublishedTemplates } from '#templates/store.ts';
import { isId } from '#values/id.ts';
import { formatInstant } from '#values/instant.ts';
import { requireMessaging } from '#workshops/access/gate.ts';
import { readGate } from '#workshops/access/store.ts';
import { listTemplatesExamples } from './examples.ts';
import type { InboxTemplate } from './schema.ts';

export function templateRoutes({ db }: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/workshops/:id/templates',
      {
        schema: {
          operationId: 'listTemplates',
          tags: ['Messaging'],
          summary: 'List the published inbox templates',
          description: 'Each can be named as `templateId` of a message. The service fills the placeholders.',
          examples: listTemplatesExamples,
          security: partnerSecurity,
          params: Type.Object({
            id: out.string({ description: "The workshop's id.", examples: [exampleIds.workshop] }),
          }),
          querystring: Type.Object(pageQuery),
          response: {
            200: Type.Object(
              {
                success: Type.Literal(true),
                templates: out.list(ref<InboxTemplate>('InboxTemplate')),
                nextCursor: Type.Union([Type.String(), Type.Null()]),
              },
              { description: 'A page of templates.' },
            ),
            ...partnerProblems({ 403: ['000003', '000004'], 404: ['030001'] }),
          },
        },
      },
      async (request) => {
        const { id } = request.params;
        const page = pageOf(request.query);
        requireMessaging(isId(id) ? await readGate(db, request.partnerId, id) : null);
        const rows = await listPublishedTemplates(db, {
          workshopId: id,
          after: page.after,
          limit: page.limit,
        });
        const { items, nextCursor } = cutPage(rows, page);
        const templates = items.map(
          ({ name, body, placeholders, requiresBooking, status, updatedAt, ...row }) => ({
            id: row.id,
            name,
            body,
            placeholders,
            requiresBooking,
            status,
            updatedAt: formatInstant(updatedAt),
          }),
        );
        return { success: true as const, templates, nextCursor };
      },
    );
  };
}
