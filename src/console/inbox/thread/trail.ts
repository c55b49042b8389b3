/** Changes of a conversation by staff, from the trail. */
import type { SafeHtml } from '@remix-run/html-template';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { readTrail, trailCard } from '../../trail/view.ts';
import type { Talk } from '../talk.ts';

const listedAtMost = 8;

/** The entries of the customer's trail that are about the conversation; null: there are none, or the role may not see them. */
export async function talkTrail(visit: WorkshopVisit, { customerId }: Talk): Promise<SafeHtml | null> {
  if (!visit.may('seeTrail')) return null;
  const entries = await readTrail(visit, customerId);
  return trailCard(
    visit,
    entries.filter(({ action }) => action.startsWith('customer.talk')).slice(0, listedAtMost),
  );
}
