/** Fastify from a Context: options, hooks that every request passes, the error handler, the API document. */
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { componentsOf, guardsOf, otherRoutes, routesOf, wrongTurns } from './api.ts';
import { documentFrame } from './operation/openapi-info.ts';
import { referenceRoutes } from './operation/reference/plugin.ts';
import type { Context } from './platform/context.ts';
import { admitRequests } from './platform/http/admission.ts';
import { readJsonOnly } from './platform/http/body-parser.ts';
import { commonHeaders } from './platform/http/common-headers.ts';
import { Connections } from './platform/http/connections.ts';
import { readQuery, refuseLongHeads } from './platform/http/head-size.ts';
import { reportIgnoredFields } from './platform/http/ignored-fields.ts';
import { type HttpLimits, usualLimits } from './platform/http/limits.ts';
import { serverFactory } from './platform/http/listener.ts';
import { measureRequests } from './platform/http/metrics.ts';
import { apiDocument } from './platform/http/openapi-document.ts';
import { respondWithError } from './platform/http/problem.ts';
import { registerRoutes } from './platform/http/register.ts';
import { requestIdOf } from './platform/http/request-id.ts';
import { logRequests } from './platform/http/request-log.ts';
import { requireSingleHeaders } from './platform/http/single-headers.ts';
import { endSlowReaders } from './platform/http/slow-readers.ts';
import { refuseUnknownPathsAtOnce, respondToUnknownRoutes } from './platform/http/unknown-routes.ts';
import { UnreadMemory } from './platform/http/unread-memory.ts';
import { warnOfUntrustedProxy } from './platform/http/untrusted-proxy.ts';
import { normaliseBody, schemaController } from './platform/http/validation.ts';
import { createAuthenticator } from './product/partners/sessions/authenticate.ts';

const bodyLimitBytes = 256 * 1024;

/** Builds the HTTP side of the process; it does not listen yet. */
export async function buildApp(
  context: Context,
  ownLimits: Partial<HttpLimits> = {},
): Promise<FastifyInstance> {
  const limits = { ...usualLimits, ...ownLimits };
  const connections = new Connections(limits.connectionsAtMost);
  const unreadMemory = new UnreadMemory(limits);
  const publicAddress = context.config.publicUrl ?? '';
  const loggerInstance: FastifyBaseLogger = context.log;
  const app = fastify({
    loggerInstance,
    // One log line a request is written below.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustedProxies(context.config.trustProxy),
    serverFactory: serverFactory(limits, connections, unreadMemory, publicAddress),
    // serverFactory answers client errors.
    clientErrorHandler: () => undefined,
    // Fastify runs no hook for these errors.
    frameworkErrors: (error, request, reply) =>
      respondWithError(error, request, reply.headers(commonHeaders(request))),
    // admitRequests answers with the API's error body while the process shuts down.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 5_000, ignoreTrailingSlash: true, querystringParser: readQuery },
    schemaController,
  });

  app.setErrorHandler(respondWithError);
  app.decorateRequest('partnerId', '');
  app.decorateRequest('appKey', '');
  app.decorate('unreadMemory', unreadMemory);
  app.decorate('publicAddress', publicAddress);
  const refuseOtherMethods = respondToUnknownRoutes(app, wrongTurns);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request));
  });
  const registry = measureRequests(app);
  admitRequests(app, limits, connections);
  readJsonOnly(app);
  endSlowReaders(app, limits.readWithinMs);
  requireSingleHeaders(app);
  if (!context.config.trustProxy) warnOfUntrustedProxy(app);
  refuseLongHeads(app);
  refuseUnknownPathsAtOnce(app);
  app.addHook('preValidation', normaliseBody);
  reportIgnoredFields(app);
  const requestLog = context.sandbox
    ? logRequests(app, { clock: context.clock, redacted: !context.sandboxAlone })
    : null;
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        partnerId: request.partnerId || undefined,
      },
      'request',
    );
  });

  const authenticator = createAuthenticator(context);
  const routes = routesOf(context, authenticator, requestLog);
  const components = componentsOf(context);
  for (const component of components) app.addSchema(component);
  const operations = routes.map(({ operation }) => operation);
  const makeDocument = () => apiDocument(documentFrame, operations, components);
  await app.register(referenceRoutes(context, makeDocument));
  registerRoutes(app, routes, guardsOf(context, authenticator), context);
  await app.register(otherRoutes(context, { registry, limits, requestLog }));
  refuseOtherMethods();
  await app.ready();
  return app;
}

/** A number is how many hops, nearest first, are trusted. */
function trustedProxies(setting: boolean | number | string) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}
