/** The node:http servers of the API: their time-outs, and their responses to clients that are slow or send malformed HTTP. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { respondToClientError } from './client-errors.ts';
import type { Connections } from './connections.ts';
import { headReadAtMostBytes } from './head-size.ts';
import type { HttpLimits } from './limits.ts';
import { oneAtATime } from './pipelining.ts';
import type { UnreadMemory } from './unread-memory.ts';

/**
 * Fastify's `serverFactory`. With HOST=localhost Fastify listens on two addresses with a server each, and both need these
 * settings.
 */
export function serverFactory(
  limits: HttpLimits,
  connections: Connections,
  unreadMemory: UnreadMemory,
  publicAddress = '',
): (handler: RequestListener) => Server {
  return (handler) => {
    const server = createServer(
      {
        // requireSingleHeaders refuses it with the API's error body.
        requireHostHeader: false,
        maxHeaderSize: headReadAtMostBytes,
        headersTimeout: limits.headersWithinMs,
        requestTimeout: limits.requestWithinMs,
        connectionsCheckingInterval: limits.checkEveryMs,
        // Longer than a proxy in front keeps an idle connection, so that the proxy closes it first.
        keepAliveTimeout: 72_000,
      },
      oneAtATime(handler, limits, connections, unreadMemory),
    );
    connections.watch(server);
    server.on('clientError', (error, socket) =>
      respondToClientError(error, socket, { lingerMs: limits.lingerMs, publicAddress }),
    );
    // RFC 9110, 10.1.1: a server may ignore an unknown expectation; Node would respond with 417 without a body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    return server;
  };
}
