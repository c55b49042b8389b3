/** The page of /console/me with all that it shows. */
import { listSessions } from '#product/people/sessions/store.ts';
import { pinCard } from '../desk/pin-card.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { ConsolePage } from '../frame/place.ts';
import type { Visit } from '../frame/visit.ts';
import { emailCard } from './email-view.ts';
import { mePage } from './page.ts';

/** `refused`: of whichever form of the page was sent. */
export async function showMe(visit: Visit, refused: Refused | null): Promise<ConsolePage> {
  const { context, who } = visit;
  const [sessions, pin] = await Promise.all([
    listSessions(context.db, who.personId),
    pinCard(visit, refused),
  ]);
  return mePage(visit, { sessions, cards: [emailCard(visit, refused), pin] }, refused);
}
