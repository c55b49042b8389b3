/** The pages of bookings that customers open: /book/{slug}, /b/{code} and /r/{code}. */
import type { FastifyPluginAsync } from 'fastify';
import { publicUrl } from '#base/config/public-url.ts';
import type { Context } from '#platform/context.ts';
import { pageScope } from '#platform/pages/scope.ts';
import { refuseLink } from '#product/customer-pages/refuse-link.ts';
import { bookRoutes } from './book/routes.ts';
import { changeRoutes } from './manage/change-routes.ts';
import { manageRoutes } from './manage/routes.ts';
import { reminderPageRoutes } from './reminder/routes.ts';

export function bookingPageRoutes(context: Context): FastifyPluginAsync {
  return pageScope(
    (app) => {
      bookRoutes(app, context);
      manageRoutes(app, context);
      reminderPageRoutes(app, context);
      changeRoutes(app, context);
    },
    publicUrl(context.config),
    { refuse: refuseLink },
  );
}
