/** THE CONSOLE ON ONE PAGE: every route, in the order of the navigation, with the permission that it needs. */
import { html } from '@remix-run/html-template';
import type { FastifyPluginAsync } from 'fastify';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { pageScope } from '#platform/pages/scope.ts';
import { bookingRoutes } from './bookings/routes.ts';
import { callRoutes } from './calls/routes.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import { customerRoutes } from './customers/routes.ts';
import { deskRoutes, serveDesk } from './desk/routes.ts';
import { findRoutes } from './find/routes.ts';
import type { PersonRoute, StreamRoute, WorkshopRoute } from './frame/console-page.ts';
import { refusalPage } from './frame/error-page.ts';
import { requireOwnForm } from './frame/own-form.ts';
import { addressOf, openVisit, servePersonRoute, serveWorkshopRoute, show } from './frame/routes.ts';
import { home } from './home.ts';
import { importRoutes } from './import/routes.ts';
import { composeRoutes } from './inbox/compose/routes.ts';
import { newsRoute } from './inbox/news/routes.ts';
import { presenceRoute } from './inbox/presence/routes.ts';
import { inboxRoutes } from './inbox/routes.ts';
import { bookingList } from './lists/pending.ts';
import { changesRoute, type Live, serveChanges } from './live/routes.ts';
import { meRoutes } from './me/routes.ts';
import { morePage } from './more.ts';
import { printPage } from './print/routes.ts';
import { quoteRoutes } from './quotes/routes.ts';
import { reminderRoutes } from './reminders/routes.ts';
import { reportRoutes } from './report/routes.ts';
import { peopleRoutes } from './settings/people/routes.ts';
import { keptRoutes } from './sign-in/kept.ts';
import { serveSignIn } from './sign-in/routes.ts';
import { todayRoutes } from './today/routes.ts';
import { weekRoutes } from './week/routes.ts';

export const workshopRoutes: readonly WorkshopRoute[] = [
  ...todayRoutes,
  ...weekRoutes,
  presenceRoute,
  newsRoute,
  ...inboxRoutes,
  ...composeRoutes,
  ...findRoutes,
  ...quoteRoutes,
  ...callRoutes,
  ...customerRoutes,
  ...bookingRoutes,
  bookingList,
  ...reminderRoutes,
  ...campaignRoutes,
  ...reportRoutes,
  printPage,
  morePage,
  ...peopleRoutes,
  ...importRoutes,
];

export const streamRoutes: readonly StreamRoute[] = [changesRoute];

export const personRoutes: readonly PersonRoute[] = [home, ...meRoutes, ...deskRoutes, ...keptRoutes];

const headers = {
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
};

export function consoleRoutes(context: Context, live: Live): FastifyPluginAsync {
  const address = addressOf(context);
  return pageScope(
    (app) => {
      if (!app.hasRequestDecorator('visit')) app.decorateRequest('visit', null);
      serveSignIn(app, context);
      serveDesk(app, context);
      serveChanges(app, context, live);
      for (const route of personRoutes) servePersonRoute(app, context, route);
      for (const route of workshopRoutes) serveWorkshopRoute(app, context, route);
      for (const method of ['GET', 'POST'] as const)
        servePersonRoute(app, context, { method, path: '*', handle: nothingThere });
    },
    address,
    {
      headers,
      requireOwnForm: (request) => requireOwnForm(request, address),
      refuse: (problem, request, reply) => show(reply, request.visit, refusalPage(problem, request.id)),
      async showAgain(page, request, reply) {
        const main = html`<div class="card narrow">${page.main}</div>`;
        return show(reply, await openVisit(context, request), { ...page, main });
      },
    },
  );
}

async function nothingThere(): Promise<never> {
  throw new Problem('000002');
}
