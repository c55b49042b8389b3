/** Fastify from a Context: options, hooks that every request passes, the error handler, the API document. */
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { components, partnerApi, publicApi } from './api.ts';
import type { Context } from './context.ts';
import { answerClientError } from './http/client-errors.ts';
import { commonHeaders } from './http/common-headers.ts';
import { headReadAtMostBytes, readQuery, refuseLongHeads } from './http/head-size.ts';
import { requireHost } from './http/host-header.ts';
import { measureRequests } from './http/metrics.ts';
import { refuseOverload } from './http/overload.ts';
import { versionPrefix } from './http/paths.ts';
import { answerError } from './http/problem.ts';
import { requestIdOf } from './http/request-id.ts';
import { answerUnknownRoutes } from './http/unknown-routes.ts';
import { normaliseBody, schemaController } from './http/validation.ts';
import { apiDocument } from './openapi-info.ts';
import { createAuthenticator } from './partners/sessions/authenticate.ts';
import { referencePage } from './reference-page.ts';

const bodyLimitBytes = 256 * 1024;

/** Builds the HTTP side of the process; it does not listen yet. */
export async function buildApp(context: Context): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = context.log;
  const app = fastify({
    loggerInstance,
    // The one line that a request leaves is written below.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    requestTimeout: 30_000,
    trustProxy: trustedProxies(context.config.trustProxy),
    http: { requireHostHeader: false, maxHeaderSize: headReadAtMostBytes },
    clientErrorHandler: answerClientError,
    // No hook runs for these.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(commonHeaders(request))),
    // Closing is answered in the API's own form by refuseOverload.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 5_000, querystringParser: readQuery },
    schemaController,
  });

  app.setErrorHandler(answerError);
  // RFC 9110, 10.1.1: an expectation that is not known may be ignored; Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.removeContentTypeParser('text/plain');
  app.decorateRequest('partnerId', '');
  const refuseOtherMethods = answerUnknownRoutes(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request));
  });
  const registry = measureRequests(app);
  refuseOverload(app);
  requireHost(app);
  refuseLongHeads(app);
  app.addHook('preValidation', normaliseBody);
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

  for (const component of components) app.addSchema(component);
  await app.register(fastifySwagger, apiDocument);
  await app.register(fastifySwaggerUi, referencePage);
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());

  const authenticator = createAuthenticator(context);
  for (const prefix of ['', versionPrefix]) {
    await app.register(partnerApi(context, authenticator), { prefix });
  }
  await app.register(publicApi(context, registry));
  refuseOtherMethods();
  await app.ready();
  return app;
}

/** A number of hops is the count of addresses, nearest first, that are believed. */
function trustedProxies(setting: boolean | number | string) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}
