/** The trail of a customer, over all their rows. */
import type { SafeHtml } from '@remix-run/html-template';
import { findIds } from '#product/customers/merged/store.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { newestOf, readTrail, trailCard } from '../trail/view.ts';

/** Null: there is nothing. */
export async function customerTrail(visit: WorkshopVisit, customerId: string): Promise<SafeHtml | null> {
  return trailOfRows(visit, await findIds(visit.context.db, customerId));
}

export async function trailOfRows(visit: WorkshopVisit, ids: readonly string[]): Promise<SafeHtml | null> {
  const trails = await Promise.all(ids.map((id) => readTrail(visit, id)));
  return trailCard(visit, newestOf(trails));
}
