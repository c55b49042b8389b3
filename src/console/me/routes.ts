/** /console/me: people's own settings and sessions. */

import { idOr, nilId } from '#base/values/id.ts';
import { setPreferences } from '#product/people/preferences.ts';
import { signOut } from '#product/people/sessions/sign-out.ts';
import { pinRoutes } from '../desk/pin.ts';
import type { PersonRoute } from '../frame/console-page.ts';
import { submit, versionOf } from '../frame/form-key/submit.ts';
import { emailRoutes } from './email.ts';
import { methodRoutes } from './methods/routes.ts';
import { showMe } from './show.ts';

const path = '/console/me';

export const meRoutes: readonly PersonRoute[] = [
  { method: 'GET', path: 'me', handle: (visit) => showMe(visit, null) },
  {
    method: 'POST',
    path: 'me',
    handle: (visit) =>
      submit(
        visit,
        async (key) => {
          const { who, form } = visit;
          const sent = {
            name: form['name'] ?? '',
            undoSeconds: form['undoSeconds'] === '60' ? 60 : 10,
            singleKeys: form['singleKeys'] === 'on',
            seen: versionOf(form),
          } as const;
          await setPreferences(key.once(`${path}?said=saved`), who.personId, sent);
          return `${path}?said=saved`;
        },
        (refused) => showMe(visit, refused),
      ),
  },
  {
    method: 'POST',
    path: 'me/sessions/:id/end',
    // Ending a session twice changes nothing, so the form needs no key.
    async handle({ context, actor, who: { personId }, params }) {
      await signOut(context, actor, { personId, sessionId: idOr(params['id'], nilId) });
      return { to: `${path}?said=ended` };
    },
  },
  ...methodRoutes,
  ...pinRoutes,
  ...emailRoutes,
];
