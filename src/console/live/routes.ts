/** /console/w/{slug}/changes: the event stream that names changed records of the workshop, whoever changed them. */
import type { FastifyInstance } from 'fastify';
import { Gauge, type Registry } from 'prom-client';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { StreamRoute } from '../frame/console-page.ts';
import { openVisit, type Sent, visitAt } from '../frame/routes.ts';
import { createPresence, type Presence } from '../inbox/presence/presence.ts';
import { followChanges } from './follow.ts';
import { headers } from './stream.ts';
import { createStreams, type StreamLimits, type Streams } from './streams.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The console's presence: who is at which conversation; the streams carry it. */
    presence: Presence;
  }
}

export const changesRoute: StreamRoute = { path: 'changes', permission: 'seeBookings' };

/** The process's parts that streams need. */
export interface Live {
  readonly registry: Registry;
  readonly limits: StreamLimits;
}

/** How often a page without a stream polls, in seconds. */
const askAgain = { 'retry-after': '15' };

export function serveChanges(app: FastifyInstance, context: Context, { registry, limits }: Live): void {
  const { path, permission } = changesRoute;
  const streams = createStreams(limits);
  const presence = createPresence(context, streams);
  app.decorate('presence', presence);
  const follower = followChanges(context, streams, presence);
  new Gauge({
    name: 'pitlane_console_streams',
    help: 'Open event streams of the console in this process',
    registers: [registry],
    collect() {
      this.set(streams.all().length);
    },
  });
  let stopped: Promise<unknown> | undefined;
  app.addHook('preClose', async () => {
    streams.endAll();
    stopped = Promise.all([follower.stop(), presence.stop()]);
  });
  app.addHook('onClose', async () => void (await stopped));
  app.get<Sent>(`/console/w/:slug/${path}`, { config: { isStream: true } }, async (request, reply) => {
    // The limit is checked before anything is read.
    requireRoom(streams);
    const visit = await openVisit(context, request);
    if (visit === null) throw new Problem('010000', { message: 'Sign in first' });
    if (visit.who.lacksFactorFor !== null)
      throw new Problem('000003', { message: 'Set up a second factor first' });
    const { workshop } = visitAt(visit, permission);
    const { sessionId } = visit.who;
    requireRoom(streams, sessionId);
    if (request.method === 'HEAD') return reply.headers(headers).send();
    reply.headers(headers).hijack();
    const { raw: response } = reply;
    // Its client has gone meanwhile: it would never close.
    if (request.raw.socket.destroyed) return reply;
    request.staysOpen();
    response.writeHead(200, reply.getHeaders() as Record<string, string>);
    const { workshopId, role, mayText, seesPhones } = workshop;
    streams.open(response, { sessionId, workshopId, role, mayText, seesPhones });
    follower.wake();
    presence.wake();
    return reply;
  });
}

/** Throws 503 where the process has as many streams as it may, and 429 where the session has. */
function requireRoom(streams: Streams, sessionId?: string): void {
  const full = (whose: string) => ({ message: `${whose} has as many streams as it may`, headers: askAgain });
  if (streams.isFull()) throw new Problem('000007', full('This process'));
  if (sessionId !== undefined && streams.isFullFor(sessionId)) throw new Problem(null, full('This session'));
}
