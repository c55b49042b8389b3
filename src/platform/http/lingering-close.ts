/**
 * Lingering close: a response that closes its connection may be sent while the client still sends its body. To close with bytes
 * unread resets the connection, and a reset discards the response before the client has read it (RFC 9112, 9.6).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Before Node closes the connection after the response, what still comes of the request is read and dropped: until it is whole, the
 * client closes, or `drainMs` have passed.
 */
export function lingerAtClose(request: IncomingMessage, response: ServerResponse, drainMs: number): void {
  const { socket } = request;
  // Before Node's own listener, which calls destroySoon() after the last response of a connection.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (request.complete || socket.destroyed) {
        destroySoon();
        return;
      }
      socket.end();
      const draining = setTimeout(() => socket.destroy(), drainMs);
      socket.once('close', () => clearTimeout(draining));
      request.once('end', destroySoon).resume();
    };
  });
}
