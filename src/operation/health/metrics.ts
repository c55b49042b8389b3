/** GET /metrics, in the text format of Prometheus. */
import type { FastifyPluginAsync } from 'fastify';
import type { Registry } from 'prom-client';
import { measureBacklog } from '#operation/status/metrics.ts';
import type { Context } from '#platform/context.ts';
import { measureReplica } from '#platform/db/replica/metrics.ts';
import { limitersOf } from '#platform/gateways/limiter/limiters.ts';
import { measureLimiters } from '#platform/gateways/limiter/metrics.ts';

export function metricsRoute(context: Context, registry: Registry): FastifyPluginAsync {
  return async (app) => {
    if (context.replica !== null) measureReplica(context.replica, registry);
    measureLimiters(limitersOf(context), registry);
    const readBacklog = measureBacklog(context, registry);
    app.get('/metrics', { config: { servedAlways: true } }, async (_, reply) => {
      await readBacklog();
      reply.type(registry.contentType);
      return registry.metrics();
    });
  };
}
