/** Prometheus metrics of this process, and of the work that waits in the database. */
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { isRehearsed } from '#base/rehearsed.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The response of a stream lasts as long as its client stays, which says nothing about the server. */
    isStream?: boolean;
  }
}

/** Times every request by method, route and status. */
export function measureRequests(app: FastifyInstance): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    if ((request.routeOptions.config.isStream && reply.statusCode === 200) || isRehearsed()) return;
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
  return registry;
}
