/** THE API ON ONE PAGE: the operations, domain by domain, and what the server answers beside them. */

import type { FastifyPluginAsync } from 'fastify';
import type { Registry } from 'prom-client';
import { consoleFiles } from './console/frame/files.ts';
import { consoleRoutes } from './console/routes.ts';
import { metricsRoute } from './operation/health/metrics.ts';
import { healthRoutes } from './operation/health/routes.ts';
import { sandboxPages } from './operation/sandbox/pages/routes.ts';
import { sandboxRequestRoutes } from './operation/sandbox/requests/routes.ts';
import { requestComponents } from './operation/sandbox/requests/schema.ts';
import { sandboxRoutes } from './operation/sandbox/routes.ts';
import { sandboxComponents } from './operation/sandbox/schema.ts';
import { thisMachineOnly } from './operation/sandbox/this-machine-only.ts';
import type { Context } from './platform/context.ts';
import type { HttpLimits } from './platform/http/limits.ts';
import type { Route } from './platform/http/operation.ts';
import type { Guards } from './platform/http/register.ts';
import type { RequestLog } from './platform/http/request-log.ts';
import type { WrongTurn } from './platform/http/unknown-routes.ts';
import { files, servePageFiles } from './platform/pages/files.ts';
import { markRoutes } from './platform/pages/mark.ts';
import { availabilityRoutes } from './product/availability/routes.ts';
import { availabilityComponents } from './product/availability/schema.ts';
import { bookingUrlRoutes } from './product/booking-page/link/routes.ts';
import { bookingPageRoutes } from './product/booking-page/routes.ts';
import { bookingRoutes } from './product/bookings/routes.ts';
import { bookingComponents } from './product/bookings/schema.ts';
import { calendarRoutes } from './product/calendar/routes.ts';
import { automationRoutes } from './product/campaigns/automations/routes.ts';
import { automationComponents } from './product/campaigns/automations/schema.ts';
import { blastRoutes } from './product/campaigns/blasts/routes.ts';
import { blastComponents } from './product/campaigns/blasts/schema.ts';
import { catalogueRoutes } from './product/catalogue/routes.ts';
import { catalogueComponents } from './product/catalogue/schema.ts';
import { gatewayCallbackRoutes } from './product/gateway-callbacks/routes.ts';
import { leadRoutes } from './product/leads/routes.ts';
import { callLeadComponents } from './product/leads/schema.ts';
import { messagingRoutes } from './product/messaging/routes.ts';
import { messagingComponents } from './product/messaging/schema.ts';
import type { Authenticator } from './product/partners/sessions/authenticate.ts';
import { sessionComponents } from './product/partners/sessions/operations.ts';
import { sessionRoutes } from './product/partners/sessions/routes.ts';
import { quotePageRoutes } from './product/quotes/page/routes.ts';
import { quoteRoutes } from './product/quotes/routes.ts';
import { quoteComponents } from './product/quotes/schema.ts';
import { reminderRoutes } from './product/reminders/routes.ts';
import { reminderComponents } from './product/reminders/schema.ts';
import { reportRoutes } from './product/reports/routes.ts';
import { reportComponents } from './product/reports/schema.ts';
import { wayOutRoutes } from './product/way-out/page/routes.ts';
import { deliveryComponents } from './product/webhooks/deliveries/log/schema.ts';
import { webhookRoutes } from './product/webhooks/routes.ts';
import { webhookComponents } from './product/webhooks/schema.ts';
import { workshopComponents } from './product/workshops/access/operations.ts';
import { workshopRoutes } from './product/workshops/access/routes.ts';
import { logoRoutes } from './product/workshops/logo/routes.ts';

/** The structures that operations refer to by name. */
export function componentsOf(context: Context) {
  return [
    ...sessionComponents,
    ...workshopComponents,
    ...catalogueComponents,
    ...availabilityComponents,
    ...bookingComponents,
    ...reminderComponents,
    ...callLeadComponents,
    ...quoteComponents,
    ...messagingComponents,
    ...webhookComponents,
    ...deliveryComponents,
    ...reportComponents,
    ...automationComponents,
    ...blastComponents,
    ...(context.sandbox ? [...sandboxComponents, ...requestComponents] : []),
  ];
}

/** Every operation with its handler; those of partners answer below /v1 too (`http/tags.ts`). */
export function routesOf(
  context: Context,
  authenticator: Authenticator,
  requestLog: RequestLog | null,
): Route[] {
  return [
    ...sessionRoutes(context, authenticator),
    ...workshopRoutes(context),
    ...catalogueRoutes(context),
    ...availabilityRoutes(context),
    ...bookingRoutes(context),
    ...bookingUrlRoutes(context),
    ...reminderRoutes(context),
    ...leadRoutes(context),
    ...quoteRoutes(context),
    ...messagingRoutes(context),
    ...webhookRoutes(context),
    ...reportRoutes(context),
    ...automationRoutes(context),
    ...blastRoutes(context),
    ...healthRoutes(context),
    ...(context.sandbox ? sandboxRoutes(context) : []),
    ...(requestLog ? sandboxRequestRoutes(requestLog) : []),
  ];
}

/** The checks of the caller, by the `access` of the operation. */
export function guardsOf(context: Context, authenticator: Authenticator): Guards {
  return {
    partner: async (request) => {
      Object.assign(request, await authenticator.authenticate(request));
    },
    thisMachine: thisMachineOnly(context.config),
  };
}

/** The parts of the server that routes use; `requestLog` is null where no requests are kept. */
export interface ServerParts {
  readonly registry: Registry;
  readonly limits: HttpLimits;
  readonly requestLog: RequestLog | null;
}

/** Registers the routes that are no operations of the API: metrics, what gateways bring, workshops' calendars and logos, the pages that customers open, the console, the pages of the sandbox. */
export function otherRoutes(
  context: Context,
  { registry, limits, requestLog }: ServerParts,
): FastifyPluginAsync {
  return async (app) => {
    await app.register(metricsRoute(context, registry));
    await app.register(gatewayCallbackRoutes(context));
    await app.register(calendarRoutes(context));
    // Both have a stylesheet and a script, under the same names.
    await app.register(servePageFiles(files));
    await app.register(servePageFiles(consoleFiles));
    await app.register(markRoutes);
    await app.register(logoRoutes(context));
    await app.register(bookingPageRoutes(context));
    await app.register(quotePageRoutes(context));
    await app.register(wayOutRoutes(context));
    await app.register(consoleRoutes(context, { registry, limits }));
    if (context.sandbox) await app.register(sandboxPages(context, requestLog));
  };
}

/** Methods and paths that callers try and that are not there, each with the operation that does what they want. */
export const wrongTurns: readonly WrongTurn[] = [
  {
    method: 'GET',
    paths: ['/workshop/:id', '/workshops/:id'],
    instead: 'GET /workshops lists the workshops that you are linked to',
  },
  { method: 'PATCH', paths: ['/bookings/:id'], instead: 'PUT changes only the fields that are sent' },
  {
    method: 'DELETE',
    paths: ['/bookings/:id'],
    instead: 'POST /bookings/{id}/cancelled cancels a booking',
  },
];
