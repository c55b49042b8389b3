/** THE PARTNER API ON ONE PAGE: every route module, registered by hand. */
import type { FastifyPluginAsync } from 'fastify';
import type { Registry } from 'prom-client';
import { availabilityRoutes } from './availability/routes.ts';
import { availabilityComponents } from './availability/schema.ts';
import { bookingRoutes } from './bookings/routes.ts';
import { bookingComponents } from './bookings/schema.ts';
import { carrierRoutes } from './carrier/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { catalogueComponents } from './catalogue/schema.ts';
import type { Context } from './context.ts';
import { healthRoutes } from './health.ts';
import { ErrorSchema } from './http/openapi.ts';
import { messagingRoutes } from './messaging/routes.ts';
import { messagingComponents } from './messaging/schema.ts';
import { templateRoutes } from './messaging/template-routes.ts';
import type { Authenticator } from './partners/sessions/authenticate.ts';
import { sessionComponents, sessionRoutes } from './partners/sessions/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { workshopComponents, workshopRoutes } from './workshops/access/routes.ts';

/** The named structures of the API document. */
export const components = [
  ErrorSchema,
  ...sessionComponents,
  ...workshopComponents,
  ...catalogueComponents,
  ...availabilityComponents,
  ...bookingComponents,
  ...messagingComponents,
];

/** Everything that a partner calls; registered at the root and below /v1. */
export function partnerApi(context: Context, authenticator: Authenticator): FastifyPluginAsync {
  return async (app) => {
    await app.register(sessionRoutes(context, authenticator));
    await app.register(async (signedIn) => {
      signedIn.addHook('onRoute', (route) => {
        route.config = { ...route.config, countsForPartner: true };
      });
      signedIn.addHook('onRequest', async (request) => {
        request.partnerId = await authenticator.authenticate(request);
      });
      await signedIn.register(workshopRoutes(context));
      await signedIn.register(catalogueRoutes(context));
      await signedIn.register(availabilityRoutes(context));
      await signedIn.register(bookingRoutes(context));
      await signedIn.register(messagingRoutes(context));
      await signedIn.register(templateRoutes(context));
    });
  };
}

/** What needs no access token: health, metrics, what gateways bring, and the sandbox when it is in use. */
export function publicApi(context: Context, registry: Registry): FastifyPluginAsync {
  return async (app) => {
    await app.register(healthRoutes(context, registry));
    await app.register(carrierRoutes(context));
    if (context.sandbox) await app.register(sandboxRoutes(context));
  };
}
