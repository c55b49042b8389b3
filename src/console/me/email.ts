/** /console/me/email: another e-mail address, confirmed at both. It needs a sign-in of the last 15 minutes. */
import { askForEmail } from '#product/people/email-change/ask.ts';
import { confirmEmail } from '#product/people/email-change/confirm.ts';
import { findNewEmail } from '#product/people/email-change/store.ts';
import type { ConsolePage, ConsoleResponse, PersonRoute } from '../frame/console-page.ts';
import { type Refused, submit } from '../frame/form-key/submit.ts';
import { whereToSignIn } from '../frame/routes.ts';
import type { Visit } from '../frame/visit.ts';
import { confirmPage } from './email-view.ts';
import { showMe } from './show.ts';

const path = '/console/me/email';
const done = '/console/me?said=emailChanged';

type Handle = PersonRoute['handle'];
const afresh =
  (handle: Handle): Handle =>
  async (visit) =>
    (await whereToSignIn(visit)) ?? handle(visit);

export const emailRoutes: readonly PersonRoute[] = [
  {
    method: 'GET',
    path: 'me/email',
    async handle(visit): Promise<ConsoleResponse> {
      const email = await findNewEmail(visit.context.db, visit.who.personId);
      return email === null ? { to: '/console/me' } : confirmPage(visit, email, null);
    },
  },
  {
    method: 'POST',
    path: 'me/email',
    handle: afresh((visit) =>
      submit(
        visit,
        async (key) => {
          const { actor, who, form } = visit;
          const wanted = { present: who.email, typed: form['email'] ?? '' };
          await askForEmail(key.once(path), actor, wanted);
          return path;
        },
        (refused) => showMe(visit, refused),
      ),
    ),
  },
  {
    method: 'POST',
    path: 'me/email/confirm',
    handle: afresh((visit) =>
      submit(
        visit,
        async (key) => {
          const { actor, who, form } = visit;
          const { presentCode = '', newCode = '' } = form;
          const codes = { presentCode, newCode, sessionId: who.sessionId };
          await confirmEmail(key.once(done), actor, codes);
          return done;
        },
        (refused) => again(visit, refused),
      ),
    ),
  },
];

/** The form of the codes while a change is waiting for them; else the form of the address. */
async function again(visit: Visit, refused: Refused): Promise<ConsolePage> {
  const email = await findNewEmail(visit.context.db, visit.who.personId);
  return email === null ? showMe(visit, refused) : confirmPage(visit, email, refused);
}
