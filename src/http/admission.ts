/** Refuses work that this process can't take: too much at once, of one partner or of all, or shutting down (503 000007). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';
import type { Connections } from './connections.ts';
import type { HttpLimits } from './limits.ts';
import { createPlaces } from './places.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers also when other work is refused: whoever asks would end a process that keeps silent. */
    servedAlways?: boolean;
    /** Takes no place of the partners' work: what it answers is ready. */
    takesNoPlace?: boolean;
    /** Needs a token of the partner that it says it is from, so it may count for that partner. */
    countsForPartner?: boolean;
  }
  interface FastifyRequest {
    /** Whose place the request holds; null while it holds none. */
    placeOf: string | null;
    /** Whether it counts as work that a stop waits for. */
    isUnderWay: boolean;
  }
}

/**
 * Whom a request counts for: the partner that it says it is from, as a token that is not that partner's is refused at once.
 * Where anyone may say anything, the route.
 */
function holderOf(request: FastifyRequest): string {
  const { url = 'unknown', config } = request.routeOptions;
  const partner = request.headers['x-partner-id'];
  return config.countsForPartner && typeof partner === 'string'
    ? partner.trim().slice(0, 36).toLowerCase()
    : url;
}

/**
 * A request is counted while it is in work: not while its body is on its way, which a client may take its time over. While
 * the process shuts down, answers end their connection, and `lingerMs` after the last of them the others are ended.
 */
export function admitRequests(app: FastifyInstance, limits: HttpLimits, connections: Connections): void {
  const places = createPlaces(limits.placesAtMost);
  let closing = false;
  let underWay = 0;
  let shed = 0;

  const tellOfShed = setInterval(() => {
    if (shed > 0) app.log.warn({ shed }, 'overloaded: requests were refused in the last second');
    shed = 0;
  }, 1_000).unref();

  function take(request: FastifyRequest): void {
    const holder = holderOf(request);
    if (!places.take(holder)) {
      shed++;
      throw new Problem('000007', { message: 'The service is overloaded', headers: { 'retry-after': '1' } });
    }
    request.placeOf = holder;
    connections.beginWork(request.raw.socket);
  }

  function giveBack(request: FastifyRequest): void {
    if (request.placeOf === null) return;
    places.giveBack(request.placeOf);
    request.placeOf = null;
    connections.endWork(request.raw.socket);
  }

  function ended(request: FastifyRequest): void {
    if (!request.isUnderWay) return;
    request.isUnderWay = false;
    underWay--;
    if (closing && underWay === 0) endConnections();
  }

  function endConnections(): void {
    setTimeout(() => underWay === 0 && connections.endAll(), limits.lingerMs).unref();
  }

  app.decorateRequest('placeOf', null);
  app.decorateRequest('isUnderWay', false);
  app.addHook('preClose', async () => {
    closing = true;
    clearInterval(tellOfShed);
    if (underWay === 0) endConnections();
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { servedAlways, takesNoPlace } = request.routeOptions.config;
    if (servedAlways) return done();
    if (closing) {
      throw new Problem('000007', {
        message: 'The service is shutting down',
        headers: { 'retry-after': '5', connection: 'close' },
      });
    }
    if (takesNoPlace) return done();
    take(request);
    reply.raw.once('close', () => {
      giveBack(request);
      ended(request);
    });
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    giveBack(request);
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { servedAlways, takesNoPlace } = request.routeOptions.config;
    if (servedAlways || takesNoPlace) return done();
    take(request);
    request.isUnderWay = true;
    underWay++;
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (closing && connections.isLastAnswer(request.raw.socket)) reply.header('connection', 'close');
    const isStream = payload !== null && typeof payload === 'object' && 'pipe' in payload;
    if (!isStream) ended(request);
    done();
  });
}
