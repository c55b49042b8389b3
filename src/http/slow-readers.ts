/** Cuts off a client that reads nothing of its answer: otherwise it would keep the answer in memory for as long as it likes. */
import type { FastifyInstance } from 'fastify';

export function endSlowReaders(app: FastifyInstance, readWithinMs: number): void {
  app.addHook('onSend', (request, { raw: response }, _payload, done) => {
    const { socket } = request.raw;
    // Of inactivity: a client that reads slowly, but reads, goes on.
    response.setTimeout(readWithinMs, () => socket.destroy());
    // Before Node's own listener, which sets the time that an idle connection is kept.
    response.prependOnceListener('finish', () => socket.setTimeout(0));
    done();
  });
}
