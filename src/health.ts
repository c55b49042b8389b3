/** GET /health/live, /health/ready and /metrics: for whoever runs the service. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import type { Registry } from 'prom-client';
import type { Context } from './context.ts';
import { writingProbe } from './db/write-probe.ts';
import { Problem } from './errors.ts';
import { limitersOf } from './gateways/limiter/limiters.ts';
import { measureLimiters } from './gateways/limiter/metrics.ts';
import { out } from './http/fields.ts';
import { noSecurity, problems } from './http/openapi.ts';
import { measureBacklog } from './status/metrics.ts';

const tags = ['Health'];
const Health = Type.Object({ status: out.string({ examples: ['ok'] }) }, { description: 'Yes.' });
const healthExamples = { answer: { ok: { summary: 'Yes', value: { status: 'ok' } } } };

export function healthRoutes(context: Context, registry: Registry): FastifyPluginAsyncTypebox {
  const probe = writingProbe(context.db);
  return async (app) => {
    app.get(
      '/health/live',
      {
        config: { servedAlways: true },
        schema: {
          operationId: 'isLive',
          tags,
          security: noSecurity,
          summary: 'The process runs',
          description: 'Answers as long as the process does; it asks nothing else.',
          examples: healthExamples,
          response: { 200: Health, ...problems({}) },
        },
      },
      async () => ({ status: 'ok' }),
    );

    app.get(
      '/health/ready',
      {
        schema: {
          operationId: 'isReady',
          tags,
          security: noSecurity,
          summary: 'The process can serve',
          description: 'Its database takes writes; 503 when it does not, and while the process shuts down.',
          examples: healthExamples,
          response: { 200: Health, ...problems({}) },
        },
      },
      async (request) => {
        await probe().catch((err) => {
          request.log.warn({ err }, 'not ready: nothing can be written');
          throw new Problem('000007', {
            message: 'The database takes no writes',
            headers: { 'retry-after': '2' },
          });
        });
        return { status: 'ok' };
      },
    );

    measureLimiters(limitersOf(context), registry);
    const readBacklog = measureBacklog(context, registry);
    app.get('/metrics', { config: { servedAlways: true }, schema: { hide: true } }, async (_, reply) => {
      await readBacklog();
      reply.type(registry.contentType);
      return registry.metrics();
    });
  };
}
