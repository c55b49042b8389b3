/** GET /health/live, /health/ready and /metrics: for whoever runs the service. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox';
import { Gauge, type Registry } from 'prom-client';
import type { Context } from './context.ts';
import { ping } from './db/ping.ts';
import { Problem } from './errors.ts';
import { out } from './http/fields.ts';
import { problems } from './http/openapi.ts';
import { workBacklog } from './work/store.ts';

const tags = ['Health'];
const Health = Type.Object({ status: out.string({ examples: ['ok'] }) }, { description: 'Yes.' });
const healthExamples = { answer: { ok: { summary: 'Yes', value: { status: 'ok' } } } };

export function healthRoutes(context: Context, registry: Registry): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/health/live',
      {
        config: { servedAlways: true },
        schema: {
          operationId: 'isLive',
          tags,
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
          summary: 'The process can serve',
          description: 'Its database answers; 503 when it does not, and while the process shuts down.',
          examples: healthExamples,
          response: { 200: Health, ...problems({}) },
        },
      },
      async () => {
        await ping(context.db).catch(() => {
          throw new Problem('000007', {
            message: 'The database does not answer',
            headers: { 'retry-after': '2' },
          });
        });
        return { status: 'ok' };
      },
    );

    const measureBacklog = backlogGauges(context, registry);
    app.get('/metrics', { config: { servedAlways: true }, schema: { hide: true } }, async (_, reply) => {
      await measureBacklog();
      reply.type(registry.contentType);
      return registry.metrics();
    });
  };
}

/** Gauges of what waits in the database; the function reads it, and leaves them without a number when it can't. */
function backlogGauges({ db, log }: Context, registry: Registry): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const events = gauge('pitlane_events_waiting', 'Events that wait for the relay');
  const oldest = gauge('pitlane_oldest_event_seconds', 'Age of the oldest event that waits for the relay');
  const jobs = gauge('pitlane_jobs_waiting', 'Jobs that wait or run');
  const deadLetters = gauge('pitlane_dead_letters', 'Jobs that were given up and wait for an operator');
  return async () => {
    const backlog = await workBacklog(db).catch((err: unknown) => {
      log.warn({ err }, 'what waits could not be counted');
      return null;
    });
    events.set(backlog?.eventsWaiting ?? Number.NaN);
    oldest.set(backlog?.oldestEventSeconds ?? Number.NaN);
    jobs.set(backlog?.jobsWaiting ?? Number.NaN);
    deadLetters.set(backlog?.deadLetters ?? Number.NaN);
  };
}
