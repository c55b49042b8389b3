/** GET /openapi.json and GET /docs, the interactive reference. All of it comes from this server, and it asks no other. */
import fastifySwagger, { type StaticDocumentSpec } from '@fastify/swagger';
import fastifySwaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import type { FastifyPluginAsync } from 'fastify';

const page: FastifySwaggerUiOptions = {
  routePrefix: '/docs',
  uiConfig: {
    validatorUrl: null,
    // Without the bar on top, which would load any other document.
    layout: 'BaseLayout',
    tryItOutEnabled: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
  },
  theme: { title: 'Pitlane Partner API' },
  staticCSP: {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': ["'self'", 'data:'],
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  },
};

/** Anyone may read them, as often as they like: they are made once, and take no place of the partners' work. */
export function documentRoutes(document: object): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, takesNoPlace: true };
    });
    await app.register(fastifySwagger, {
      mode: 'static',
      // The plugin's type is that of OpenAPI 3.0.
      specification: { document } as StaticDocumentSpec,
    });
    await app.register(fastifySwaggerUi, page);
    const text = Buffer.from(JSON.stringify(document));
    app.get('/openapi.json', async (_, reply) => reply.type('application/json; charset=utf-8').send(text));
  };
}
