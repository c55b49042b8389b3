/** GET /metrics, in the text format of Prometheus. */
import type { FastifyPluginAsync } from 'fastify';
import type { Registry } from 'prom-client';
import type { Context } from '#context.ts';
import { lanesOf } from '#gateways/lane/lanes.ts';
import { measureLanes } from '#gateways/lane/metrics.ts';
import { measureBacklog } from '#status/metrics.ts';

export function metricsRoute(context: Context, registry: Registry): FastifyPluginAsync {
  return async (app) => {
    measureLanes(lanesOf(context), registry);
    const readBacklog = measureBacklog(context, registry);
    app.get('/metrics', { config: { servedAlways: true } }, async (_, reply) => {
      await readBacklog();
      reply.type(registry.contentType);
      return registry.metrics();
    });
  };
}
