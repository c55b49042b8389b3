/** Refuses work that this process can't take: too much at once, or shutting down (503 000007). */
import type { FastifyInstance } from 'fastify';
import { Problem } from '#errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers also when other work is refused: whoever asks would end a process that keeps silent. */
    servedAlways?: boolean;
  }
}

/** A request waits for a connection of the pool at most 5 seconds; far more than these could never be served in time. */
const usualLimit = 2_000;

export function refuseOverload(app: FastifyInstance, inFlightAtMost = usualLimit): void {
  let inFlight = 0;
  let closing = false;

  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.servedAlways) return;
    if (closing) {
      throw new Problem('000007', {
        message: 'The service is shutting down',
        headers: { 'retry-after': '5', connection: 'close' },
      });
    }
    if (inFlight >= inFlightAtMost) {
      throw new Problem('000007', { message: 'The service is overloaded', headers: { 'retry-after': '1' } });
    }
    inFlight++;
    reply.raw.once('close', () => {
      inFlight--;
    });
  });
}
