/** Fastify from a Context: options, hooks that every request passes, the error handler, the API document. */
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { componentsOf, guardsOf, otherRoutes, routesOf } from './api.ts';
import type { Context } from './context.ts';
import { admitRequests } from './http/admission.ts';
import { readJsonOnly } from './http/body-parser.ts';
import { commonHeaders } from './http/common-headers.ts';
import { Connections } from './http/connections.ts';
import { readQuery, refuseLongHeads } from './http/head-size.ts';
import { requireHost } from './http/host-header.ts';
import { tellIgnoredFields } from './http/ignored-fields.ts';
import { type HttpLimits, usualLimits } from './http/limits.ts';
import { serverFactory } from './http/listener.ts';
import { measureRequests } from './http/metrics.ts';
import { apiDocument } from './http/openapi-document.ts';
import { answerError } from './http/problem.ts';
import { registerRoutes } from './http/register.ts';
import { requestIdOf } from './http/request-id.ts';
import { endSlowReaders } from './http/slow-readers.ts';
import { answerUnknownRoutes } from './http/unknown-routes.ts';
import { normaliseBody, schemaController } from './http/validation.ts';
import { documentFrame } from './openapi-info.ts';
import { createAuthenticator } from './partners/sessions/authenticate.ts';
import { documentRoutes } from './reference-page.ts';

const bodyLimitBytes = 256 * 1024;

/** Builds the HTTP side of the process; it does not listen yet. */
export async function buildApp(
  context: Context,
  ownLimits: Partial<HttpLimits> = {},
): Promise<FastifyInstance> {
  const limits = { ...usualLimits, ...ownLimits };
  const connections = new Connections(limits.connectionsAtMost);
  const loggerInstance: FastifyBaseLogger = context.log;
  const app = fastify({
    loggerInstance,
    // The one line that a request leaves is written below.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    trustProxy: trustedProxies(context.config.trustProxy),
    serverFactory: serverFactory(limits, connections),
    // The factory's servers answer these themselves.
    clientErrorHandler: () => undefined,
    // No hook runs for these.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(commonHeaders(request))),
    // Closing is answered in the API's own form by admitRequests.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Fields of those names are unknown ones like others; no object is made from a body by assigning its fields.
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
    routerOptions: { maxParamLength: 5_000, ignoreTrailingSlash: true, querystringParser: readQuery },
    schemaController,
  });

  app.setErrorHandler(answerError);
  app.decorateRequest('partnerId', '');
  const refuseOtherMethods = answerUnknownRoutes(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request));
  });
  const registry = measureRequests(app);
  admitRequests(app, limits, connections);
  readJsonOnly(app);
  endSlowReaders(app, limits.readWithinMs);
  requireHost(app);
  refuseLongHeads(app);
  app.addHook('preValidation', normaliseBody);
  tellIgnoredFields(app);
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
  const routes = routesOf(context, authenticator);
  const components = componentsOf(context);
  for (const component of components) app.addSchema(component);
  const operations = routes.map(({ operation }) => operation);
  await app.register(documentRoutes(apiDocument(documentFrame, operations, components)));
  registerRoutes(app, routes, guardsOf(context, authenticator), context);
  await app.register(otherRoutes(context, registry));
  refuseOtherMethods();
  await app.ready();
  return app;
}

/** A number of hops is the count of addresses, nearest first, that are believed. */
function trustedProxies(setting: boolean | number | string) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}
