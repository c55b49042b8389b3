/** The node:http servers under the API: their time-outs, and what they do with clients that are slow or speak no HTTP. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { answerClientError } from './client-errors.ts';
import type { Connections } from './connections.ts';
import { headReadAtMostBytes } from './head-size.ts';
import type { HttpLimits } from './limits.ts';

/**
 * Fastify's `serverFactory`: with HOST=localhost it listens on two addresses, with a server each, and all of this must hold
 * for both.
 */
export function serverFactory(
  limits: HttpLimits,
  connections: Connections,
): (handler: RequestListener) => Server {
  return (handler) => {
    const server = createServer(
      {
        // Refused in the API's own form by requireHost.
        requireHostHeader: false,
        maxHeaderSize: headReadAtMostBytes,
        headersTimeout: limits.headersWithinMs,
        requestTimeout: limits.requestWithinMs,
        connectionsCheckingInterval: limits.checkEveryMs,
        // Longer than a proxy in front keeps a connection, so that it is the proxy who ends it.
        keepAliveTimeout: 72_000,
      },
      handler,
    );
    connections.watch(server);
    server.on('clientError', (error, socket) => answerClientError(error, socket, limits.lingerMs));
    // RFC 9110, 10.1.1: an expectation that is not known may be ignored; Node would answer without a body.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    return server;
  };
}
