/** THE API ON ONE PAGE: the operations, domain by domain, and what the server answers beside them. */
import type { FastifyPluginAsync } from 'fastify';
import type { Registry } from 'prom-client';
import { availabilityRoutes } from './availability/routes.ts';
import { availabilityComponents } from './availability/schema.ts';
import { bookingUrlRoutes } from './booking-page/link/routes.ts';
import { bookingPageRoutes } from './booking-page/routes.ts';
import { bookingRoutes } from './bookings/routes.ts';
import { bookingComponents } from './bookings/schema.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { automationRoutes } from './campaigns/automations/routes.ts';
import { automationComponents } from './campaigns/automations/schema.ts';
import { blastRoutes } from './campaigns/blasts/routes.ts';
import { blastComponents } from './campaigns/blasts/schema.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { catalogueComponents } from './catalogue/schema.ts';
import type { Context } from './context.ts';
import { gatewayCallbackRoutes } from './gateway-callbacks/routes.ts';
import { metricsRoute } from './health/metrics.ts';
import { healthRoutes } from './health/routes.ts';
import type { Route } from './http/operation.ts';
import type { Guards } from './http/register.ts';
import type { RequestLog } from './http/request-log.ts';
import { leadRoutes } from './leads/routes.ts';
import { callLeadComponents } from './leads/schema.ts';
import { messagingRoutes } from './messaging/routes.ts';
import { messagingComponents } from './messaging/schema.ts';
import { files, servePageFiles } from './pages/files.ts';
import { markRoutes } from './pages/mark.ts';
import type { Authenticator } from './partners/sessions/authenticate.ts';
import { sessionComponents } from './partners/sessions/operations.ts';
import { sessionRoutes } from './partners/sessions/routes.ts';
import { quotePageRoutes } from './quotes/page/routes.ts';
import { quoteRoutes } from './quotes/routes.ts';
import { quoteComponents } from './quotes/schema.ts';
import { reminderRoutes } from './reminders/routes.ts';
import { reminderComponents } from './reminders/schema.ts';
import { reportRoutes } from './reports/routes.ts';
import { reportComponents } from './reports/schema.ts';
import { sandboxPage } from './sandbox/page.ts';
import { sandboxRequestRoutes } from './sandbox/requests/routes.ts';
import { requestComponents } from './sandbox/requests/schema.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { sandboxComponents } from './sandbox/schema.ts';
import { thisMachineOnly } from './sandbox/this-machine-only.ts';
import { deliveryComponents } from './webhooks/deliveries/log/schema.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { webhookComponents } from './webhooks/schema.ts';
import { workshopComponents } from './workshops/access/operations.ts';
import { workshopRoutes } from './workshops/access/routes.ts';
import { logoRoutes } from './workshops/logo/routes.ts';

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

/** Who may call an operation, by its `access`. */
export function guardsOf(context: Context, authenticator: Authenticator): Guards {
  return {
    partner: async (request) => {
      Object.assign(request, await authenticator.authenticate(request));
    },
    thisMachine: thisMachineOnly(context.config),
  };
}

/** What is no operation of the API: metrics, what gateways bring, workshops' calendars and logos, the pages that customers open, the page of the sandbox. */
export function otherRoutes(context: Context, registry: Registry): FastifyPluginAsync {
  return async (app) => {
    await app.register(metricsRoute(context, registry));
    await app.register(gatewayCallbackRoutes(context));
    await app.register(calendarRoutes(context));
    await app.register(servePageFiles(files));
    await app.register(markRoutes);
    await app.register(logoRoutes(context));
    await app.register(bookingPageRoutes(context));
    await app.register(quotePageRoutes(context));
    if (context.sandbox) await app.register(sandboxPage(context));
  };
}
