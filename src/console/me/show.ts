/** Reads and renders the page of /console/me. */
import { listSessions } from '#product/people/sessions/list/store.ts';
import { pinCard } from '../desk/pin-card.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { partyOf } from '../frame/party.ts';
import type { Visit } from '../frame/visit.ts';
import { emailCard } from './email-view.ts';
import { readMethods } from './methods/read.ts';
import { methodsSection } from './methods/section.ts';
import { newsCard } from './news-card.ts';
import { mePage } from './page.ts';

/** `refused`: the refusal of the form that was sent. */
export async function showMe(visit: Visit, refused: Refused | null): Promise<ConsolePage> {
  const { context, request, who } = visit;
  const [sessions, methods, pin] = await Promise.all([
    listSessions(context.db, who.personId),
    readMethods(context.db, who.personId),
    pinCard(visit, refused),
  ]);
  const section = methodsSection(who.email, methods, partyOf(context, request).id);
  return mePage(visit, { sessions, cards: [newsCard, section, emailCard(visit, refused), pin] }, refused);
}
