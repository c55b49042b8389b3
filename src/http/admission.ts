/** Refuses work that this process can't take: too much at once, of one partner or of all, or shutting down (503 000007). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';
import type { Connections } from './connections.ts';
import type { HttpLimits } from './limits.ts';
import { createPlaces } from './places.ts';
import { inTurns } from './turns.ts';

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

/** Validating a body and sending its first statement takes some tenths of a millisecond. */
const startedPerTurn = 8;

/** One for all: there may be thousands a second, and each would note where it was made. */
const overloaded = new Problem('000007', {
  message: 'The service is overloaded',
  headers: { 'retry-after': '1' },
});

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
  const beginInTurn = inTurns(startedPerTurn);
  let closing = false;
  let underWay = 0;
  let shed = 0;

  const tellOfShed = setInterval(() => {
    if (shed > 0) app.log.warn({ shed }, 'overloaded: requests were refused in the last second');
    shed = 0;
  }, 1_000).unref();

  function take(request: FastifyRequest): boolean {
    const holder = holderOf(request);
    if (!places.take(holder)) return false;
    request.placeOf = holder;
    connections.beginWork(request.raw.socket);
    return true;
  }

  /** At once where further requests of the connection wait behind this one, since they would pile up. */
  function refuse(request: FastifyRequest, done: (error: Error) => void): void {
    shed++;
    const mayHold = !closing && connections.isLastAnswer(request.raw.socket);
    // Spread, so that a crowd that came at once does not come back at once.
    const holdMs = limits.holdRefusedMs * (0.5 + Math.random());
    if (mayHold) setTimeout(done, holdMs, overloaded);
    else done(overloaded);
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
    if (!take(request)) return refuse(request, done);
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
    // The client went away while its token was looked up: nobody would give the place back, and the request ends here.
    if (request.raw.socket.destroyed) return;
    if (!take(request)) return refuse(request, done);
    request.isUnderWay = true;
    underWay++;
    beginInTurn(done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (closing && connections.isLastAnswer(request.raw.socket)) reply.header('connection', 'close');
    const isStream = payload !== null && typeof payload === 'object' && 'pipe' in payload;
    if (!isStream) ended(request);
    done();
  });
}
