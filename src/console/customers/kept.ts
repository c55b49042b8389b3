/**
 * Pages of a merged customer redirect to those of the kept one; those of a customer apart to whose number it is, for people who see
 * phones.
 */
import { isId } from '#base/values/id.ts';
import { findNumberOf } from '#product/customers/apart/store.ts';
import { keptInstead } from '#product/customers/merged/store.ts';
import type { WorkshopRoute } from '../frame/console-page.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

type Handle = WorkshopRoute['handle'];

export const ofKept =
  (handle: Handle): Handle =>
  async (visit) => {
    const { context, workshop, params, request } = visit;
    const id = params['id'] ?? '';
    const kept = isId(id)
      ? ((await keptInstead(context.db, workshop.workshopId, id)) ?? (await ofNumber(visit, id)))
      : null;
    return kept === null ? handle(visit) : { to: request.url.replace(id, kept) };
  };

async function ofNumber({ context, workshop }: WorkshopVisit, id: string): Promise<string | null> {
  if (!workshop.seesPhones) return null;
  return (await findNumberOf(context.db, workshop.workshopId, id))?.customerId ?? null;
}
