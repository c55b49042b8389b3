/** /console/me as it is now, or with what was refused. */
import { listSessions } from '#product/people/sessions/store.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import { partyOf } from '../frame/party.ts';
import type { ConsolePage } from '../frame/place.ts';
import type { Visit } from '../frame/visit.ts';
import { readMethods } from './methods/read.ts';
import { methodsSection } from './methods/section.ts';
import { mePage } from './page.ts';

export async function shownMe(visit: Visit, refused: Refused | null): Promise<ConsolePage> {
  const { context, request, who } = visit;
  const [sessions, methods] = await Promise.all([
    listSessions(context.db, who.personId),
    readMethods(context.db, who.personId),
  ]);
  const section = methodsSection(who.email, methods, partyOf(context, request).id);
  return mePage(visit, sessions, refused, section);
}
