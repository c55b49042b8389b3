/** Who did what with a conversation, beside what was said in it. */
import type { SafeHtml } from '@remix-run/html-template';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { readTrail, trailCard } from '../../trail/view.ts';
import type { Talk } from '../talk.ts';

const listedAtMost = 8;

/** Of the customer's trail what is of the conversation; null: nothing is, or the role may not see it. */
export async function talkTrail(visit: WorkshopVisit, { customerId }: Talk): Promise<SafeHtml | null> {
  if (!visit.may('seeTrail')) return null;
  const entries = await readTrail(visit, customerId);
  return trailCard(
    visit,
    entries.filter(({ action }) => action.startsWith('customer.talk')).slice(0, listedAtMost),
  );
}
