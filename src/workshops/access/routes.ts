/** GET /workshops: the workshops that the partner is linked to (decisions, section 7). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Context } from '#context.ts';
import { out, ref } from '#http/fields.ts';
import { partnerProblems, partnerSecurity } from '#http/openapi.ts';
import { cutPage, pageOf, pageQuery } from '#http/paging.ts';
import { listWorkshopsExamples } from './examples.ts';
import { type LinkedWorkshop, listLinkedWorkshops } from './store.ts';

const Workshop = Type.Object(
  {
    id: out.uuid(),
    name: out.string(),
    slug: out.string(),
    country: out.string({ description: 'ISO 3166 alpha-2.', examples: ['AU'] }),
    timezone: out.string({ examples: ['Australia/Melbourne'] }),
    phone: out.string({ description: 'E.164' }),
    partnerIntegrationEnabled: out.boolean({
      description: 'False: everything that writes or sends is refused with 000004.',
    }),
    inboxMessagingEnabled: out.boolean(),
    enforceAvailability: out.boolean(),
  },
  { $id: 'Workshop' },
);

export const workshopComponents = [Workshop];

export function workshopRoutes({ db }: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/workshops',
      {
        schema: {
          operationId: 'listWorkshops',
          tags: ['Workshops'],
          summary: 'List your workshops',
          description: 'Every workshop that you are linked to, also where the link is switched off.',
          examples: listWorkshopsExamples,
          security: partnerSecurity,
          querystring: Type.Object(pageQuery),
          response: {
            200: Type.Object(
              {
                success: Type.Literal(true),
                workshops: out.list(ref<LinkedWorkshop>('Workshop')),
                nextCursor: Type.Union([Type.String(), Type.Null()]),
              },
              { description: 'A page of workshops.' },
            ),
            ...partnerProblems({}),
          },
        },
      },
      async (request) => {
        const page = pageOf(request.query);
        const rows = await listLinkedWorkshops(db, request.partnerId, page.after, page.limit + 1);
        const { items, nextCursor } = cutPage(rows, page);
        return { success: true as const, workshops: items, nextCursor };
      },
    );
  };
}
