/** The pages of bookings that customers open: /book/{slug} and /b/{code}. */
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from '#context.ts';
import { pageScope } from '#pages/scope.ts';
import { bookRoutes } from './book/routes.ts';
import { manageRoutes } from './manage/routes.ts';

export function bookingPageRoutes(context: Context): FastifyPluginAsync {
  return pageScope((app) => {
    bookRoutes(app, context);
    manageRoutes(app, context);
  });
}
