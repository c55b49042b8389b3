/** GET /openapi.json and GET /docs, the interactive reference. All of it comes from this server, and it asks no other. */
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
export const documentRoutes: FastifyPluginAsync = async (app) => {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, takesNoPlace: true };
  });
  await app.register(fastifySwaggerUi, page);
  let document: Buffer | null = null;
  app.get('/openapi.json', { schema: { hide: true } }, async (_, reply) => {
    document ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.type('application/json; charset=utf-8').send(document);
  });
};
