/** GET /workshops/{id}/availabilities. */
import type { Context } from '#platform/context.ts';
import { type Route, route } from '#platform/http/operation.ts';
import { listAvailabilities } from './operations.ts';
import { readAvailability } from './read.ts';

export function availabilityRoutes(context: Context): Route[] {
  return [
    route(listAvailabilities, ({ partnerId, params, query }) =>
      readAvailability(context, { partnerId, workshopId: params.id, ...query }),
    ),
  ];
}
