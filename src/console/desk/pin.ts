/** The PIN by which one switches at a shared desk, on /console/me. Setting and removing it ask for a sign-in of the last 15 minutes. */
import { removePin, setPin } from '#product/people/desk/pin/set.ts';
import type { PersonRoute } from '../frame/console-page.ts';
import { submit } from '../frame/form-key/submit.ts';
import { whereToSignIn } from '../frame/routes.ts';
import type { Visit } from '../frame/visit.ts';
import { showMe } from '../me/show.ts';

type Handle = PersonRoute['handle'];
const changing =
  (said: string, work: (context: Visit['context'], visit: Visit) => Promise<void>): Handle =>
  async (visit) => {
    const to = `/console/me?said=${said}`;
    const first = await whereToSignIn(visit);
    if (first !== null) return first;
    return submit(
      visit,
      async (key) => {
        await work(key.once(to), visit);
        return to;
      },
      (refused) => showMe(visit, refused),
    );
  };

export const pinRoutes: readonly PersonRoute[] = [
  {
    method: 'POST',
    path: 'me/pin',
    handle: changing('pinSet', (context, { actor, who, form }) =>
      setPin(context, actor, { pin: withoutSpaces(form['pin']), vouchedBy: who.vouchedBy }),
    ),
  },
  {
    method: 'POST',
    path: 'me/pin/remove',
    handle: changing('pinRemoved', (context, { actor }) => removePin(context, actor)),
  },
];

/** A PIN as people type it. */
export const withoutSpaces = (typed = ''): string => typed.replaceAll(/\s/g, '');
