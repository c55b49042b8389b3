/** GET /docs: the interactive reference. All of it comes from this server, and it asks no other. */
import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui';

export const referencePage: FastifySwaggerUiOptions = {
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
