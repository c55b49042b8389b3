/** GET /workshops/{id}/services. */
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { listServices } from './operations.ts';
import { readServices } from './read.ts';

export function catalogueRoutes({ db }: Context): Route[] {
  return [route(listServices, ({ partnerId, params }) => readServices(db, partnerId, params.id))];
}
