/** Pages of a merged customer redirect to those of the kept one. */
import { isId } from '#base/values/id.ts';
import { keptInstead } from '#product/customers/merged/store.ts';
import type { WorkshopRoute } from '../frame/console-page.ts';

type Handle = WorkshopRoute['handle'];

export const ofKept =
  (handle: Handle): Handle =>
  async (visit) => {
    const { context, workshop, params, request } = visit;
    const id = params['id'] ?? '';
    const kept = isId(id) ? await keptInstead(context.db, workshop.workshopId, id) : null;
    return kept === null ? handle(visit) : { to: request.url.replace(id, kept) };
  };
