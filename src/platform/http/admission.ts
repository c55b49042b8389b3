/** Load shedding: refuses a request (503 000007) when its partner or the process has too many at once, and while the process shuts down. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#errors.ts';
import type { Connections } from './connections.ts';
import { inEventLoopTurns } from './event-loop.ts';
import type { HttpLimits } from './limits.ts';
import { createPermits } from './permits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also responds while other requests are refused: a health check without a response would restart the process. */
    servedAlways?: boolean;
    /** Needs no permit, since its response is ready in memory. */
    needsNoPermit?: boolean;
    /** Counts for the partner that X-Partner-ID names: the operation needs an access token of that partner. */
    countsForPartner?: boolean;
  }
  interface FastifyRequest {
    /** The holder whose permit the request has; null while it has none. */
    permitOf: string | null;
    /** True while a shutdown waits for it. */
    isUnderWay: boolean;
    /**
     * Its response is a stream from now on, and lasts as long as its client stays: it holds no permit, its connection is not
     * counted, and a shutdown does not wait for it. Whoever sends such responses counts them, and ends them at a stop.
     */
    staysOpen(): void;
  }
}

/** Validating a body and sending its first statement takes some tenths of a millisecond. */
const startedPerTurn = 8;

/** One object for all refusals: there may be thousands a second, and each new error would capture a stack trace. */
const overloaded = new Problem('000007', {
  message: 'The service is overloaded',
  headers: { 'retry-after': '1' },
});

/**
 * The holder that a request counts for: the partner in X-Partner-ID, since another partner's token is refused before any work. When no token
 * is needed, the route.
 */
function holderOf(request: FastifyRequest): string {
  const { url = 'unknown', config } = request.routeOptions;
  const partner = request.headers['x-partner-id'];
  return config.countsForPartner && typeof partner === 'string'
    ? partner.trim().slice(0, 36).toLowerCase()
    : url;
}

/**
 * A request holds a permit while the process works on it, and none while its body arrives, which a slow client may draw out.
 * During a shutdown each response closes its connection; `lingerMs` after the last response the other connections are closed.
 */
export function admitRequests(app: FastifyInstance, limits: HttpLimits, connections: Connections): void {
  const permits = createPermits(limits.permitsAtMost);
  const startInTurn = inEventLoopTurns(startedPerTurn);
  let closing = false;
  let underWay = 0;
  let shed = 0;

  const logShed = setInterval(() => {
    if (shed > 0) app.log.warn({ shed }, 'overloaded: requests were refused in the last second');
    shed = 0;
    const ended = connections.takeEnded();
    if (ended > 0)
      app.log.warn(
        { ended },
        'connections were ended in the last second: too many, or too much waited on them',
      );
  }, 1_000).unref();

  function acquire(request: FastifyRequest): boolean {
    const holder = holderOf(request);
    if (!permits.acquire(holder)) return false;
    request.permitOf = holder;
    connections.beginWork(request.raw.socket);
    return true;
  }

  /** Delays the response, unless further requests of the connection wait behind this one: those would pile up. */
  function refuse(request: FastifyRequest, done: (error: Error) => void): void {
    shed++;
    // The part of its body that has arrived is dropped, and so is the rest.
    request.body = undefined;
    request.raw.resume();
    const mayDelay = !closing && connections.isLastAnswer(request.raw.socket);
    // With jitter, so that clients that came together do not retry together.
    const delayMs = limits.delayRefusedMs * (0.5 + Math.random());
    if (mayDelay) setTimeout(done, delayMs, overloaded);
    else done(overloaded);
  }

  function release(request: FastifyRequest): void {
    if (request.permitOf === null) return;
    permits.release(request.permitOf);
    request.permitOf = null;
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

  app.decorateRequest('permitOf', null);
  app.decorateRequest('isUnderWay', false);
  app.decorateRequest('staysOpen', function () {
    release(this);
    ended(this);
    connections.setApart(this.raw.socket);
  });
  app.addHook('preClose', async () => {
    closing = true;
    clearInterval(logShed);
    if (underWay === 0) endConnections();
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { servedAlways, needsNoPermit } = request.routeOptions.config;
    if (servedAlways) return done();
    if (closing) {
      throw new Problem('000007', {
        message: 'The service is shutting down',
        headers: { 'retry-after': '5', connection: 'close' },
      });
    }
    if (needsNoPermit) return done();
    if (!acquire(request)) return refuse(request, done);
    reply.raw.once('close', () => {
      release(request);
      ended(request);
    });
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    release(request);
    done();
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { servedAlways, needsNoPermit } = request.routeOptions.config;
    if (servedAlways || needsNoPermit) return done();
    // The client disconnected while its token was looked up. A permit would never be released, so the request ends here.
    if (request.raw.socket.destroyed) return;
    if (!acquire(request)) return refuse(request, done);
    request.isUnderWay = true;
    underWay++;
    startInTurn(done);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (closing && connections.isLastAnswer(request.raw.socket)) reply.header('connection', 'close');
    const isStream = payload !== null && typeof payload === 'object' && 'pipe' in payload;
    if (!isStream) ended(request);
    done();
  });
}
