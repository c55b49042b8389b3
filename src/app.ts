/** Fastify from a Context: options, hooks that every request passes, the error handler, the API document. */
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { componentsOf, guardsOf, otherRoutes, routesOf } from './api.ts';
import type { Context } from './context.ts';
import { admitRequests } from './http/admission.ts';
import { readJsonOnly } from './http/body-parser.ts';
import { commonHeaders } from './http/common-headers.ts';
import { Connections } from './http/connections.ts';
import { readQuery, refuseLongHeads } from './http/head-size.ts';
import { reportIgnoredFields } from './http/ignored-fields.ts';
import { type HttpLimits, usualLimits } from './http/limits.ts';
import { serverFactory } from './http/listener.ts';
import { measureRequests } from './http/metrics.ts';
import { apiDocument } from './http/openapi-document.ts';
import { answerError } from './http/problem.ts';
import { registerRoutes } from './http/register.ts';
import { requestIdOf } from './http/request-id.ts';
import { logRequests } from './http/request-log.ts';
import { requireSingleHeaders } from './http/single-headers.ts';
import { endSlowReaders } from './http/slow-readers.ts';
import { answerUnknownRoutes, refuseUnknownPathsAtOnce } from './http/unknown-routes.ts';
import { UnreadMemory } from './http/unread-memory.ts';
import { warnOfUntrustedProxy } from './http/untrusted-proxy.ts';
import { normaliseBody, schemaController } from './http/validation.ts';
import { documentFrame } from './openapi-info.ts';
import { createAuthenticator } from './partners/sessions/authenticate.ts';
import { referenceRoutes } from './reference/plugin.ts';

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
      answerError(error, request, reply.headers(commonHeaders(request))),
    // admitRequests answers with the API's error body while the process shuts down.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 5_000, ignoreTrailingSlash: true, querystringParser: readQuery },
    schemaController,
  });

  app.setErrorHandler(answerError);
  app.decorateRequest('partnerId', '');
  app.decorateRequest('appKey', '');
  app.decorate('unreadMemory', unreadMemory);
  app.decorate('publicAddress', publicAddress);
  const refuseOtherMethods = answerUnknownRoutes(app);

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
  await app.register(otherRoutes(context, registry));
  refuseOtherMethods();
  await app.ready();
  return app;
}

/** A number is how many hops, nearest first, are trusted. */
function trustedProxies(setting: boolean | number | string) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}
