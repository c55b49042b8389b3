/** Closes the connection of a client that does not read its response, which would stay in memory otherwise. */
import type { FastifyInstance } from 'fastify';

export function endSlowReaders(app: FastifyInstance, readWithinMs: number): void {
  app.addHook('onSend', (request, { raw: response }, _payload, done) => {
    const { socket } = request.raw;
    // A time-out of inactivity: a client that reads slowly is not affected.
    response.setTimeout(readWithinMs, () => socket.destroy());
    // Before Node's own listener, which sets the keep-alive time-out.
    response.prependOnceListener('finish', () => socket.setTimeout(0));
    done();
  });
}
