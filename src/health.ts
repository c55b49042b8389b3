/** GET /health/live, /health/ready and /metrics: for whoever runs the service. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import { Gauge, type Registry } from 'prom-client';
import type { Context } from './context.ts';
import { Problem } from './errors.ts';
import { out } from './http/fields.ts';
import { problems } from './http/openapi.ts';
import { workBacklog } from './work/store.ts';

const tags = ['Health'];
const Health = Type.Object({ status: out.string({ examples: ['ok'] }) });

export function healthRoutes(context: Context, registry: Registry): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/health/live',
      {
        schema: {
          operationId: 'isLive',
          tags,
          summary: 'The process runs',
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
          summary: 'The process can serve: its database answers',
          response: { 200: Health, ...problems({}) },
        },
      },
      async () => {
        await context.db.query("SELECT 1 AS one").catch(() => {
          throw new Problem('000007', { message: 'The database does not answer', headers: { 'retry-after': '2' } });
        });
        return { status: 'ok' };
      },
    );

    measureBacklog(context, registry);
    app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
      reply.type(registry.contentType);
      return registry.metrics();
    });
  };
}

/** Gauges of what waits in the database, read once for each scrape. */
function measureBacklog({ db }: Context, registry: Registry): void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const oldest = gauge('pitlane_oldest_event_seconds', 'Age of the oldest event that waits for the relay');
  const jobs = gauge('pitlane_jobs_waiting', 'Jobs that wait or run');
  const deadLetters = gauge('pitlane_dead_letters', 'Jobs that were given up and wait for an operator');
  new Gauge({
    name: 'pitlane_events_waiting',
    help: 'Events that wait for the relay',
    registers: [registry],
    async collect() {
      const backlog = await workBacklog(db);
      this.set(backlog.eventsWaiting);
      oldest.set(backlog.oldestEventSeconds);
      jobs.set(backlog.jobsWaiting);
      deadLetters.set(backlog.deadLetters);
    },
  });
}
