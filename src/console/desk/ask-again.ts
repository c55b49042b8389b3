/** The setting of after how many idle minutes a session of the workshop's people asks for the PIN, on the page of its people. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, field } from '#platform/pages/components.ts';
import { setDeskRule } from '#product/people/desk/rule/set.ts';
import { findDeskRule } from '#product/people/desk/rule/store.ts';
import { type ConsolePage, change, type WorkshopRoute } from '../frame/console-page.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import { type Refused, submit, versionOf, versionShown } from '../frame/form-key/submit.ts';
import { whereToSignIn } from '../frame/routes.ts';
import type { WorkshopVisit } from '../frame/visit.ts';

const place = 'settings/people';

export async function askAgainCard(visit: WorkshopVisit, refused: Refused | null): Promise<SafeHtml> {
  const { context, workshop, base, form } = visit;
  const { askAgainMinutes, version } = await findDeskRule(context.db, workshop.workshopId);
  const isTyped = refused !== null && form['askAgainMinutes'] !== undefined;
  const body = changeForm({
    action: `${base}/${place}/ask-again`,
    version: isTyped ? versionShown(form, refused, version) : version,
    body: html`${field({ name: 'askAgainMinutes', label: 'Ask again after', value: isTyped ? form['askAgainMinutes'] : String(askAgainMinutes ?? ''), error: faultOf(refused, 'askAgainMinutes'), hint: 'Minutes without use, 1 to 240; empty for never. Then a PIN is asked for, or a sign-in where there is none.', isUnmarked: true, isDigits: true, max: 3 })}
${buttons(button('Save', 'quiet'))}`,
  });
  return html`<section class="card narrow" aria-labelledby="ask-again-title"><h2 id="ask-again-title">Left alone</h2>${body}</section>`;
}

/** `list` shows the page of the workshop's people. */
export const askAgainRoute = (
  list: (visit: WorkshopVisit, refused: Refused) => Promise<ConsolePage>,
): WorkshopRoute =>
  change(`${place}/ask-again`, 'runWorkshop', async (visit) => {
    const { actor, workshop, base, form } = visit;
    const to = `${base}/${place}?said=askAgain`;
    const first = await whereToSignIn(visit);
    if (first !== null) return first;
    return submit(
      visit,
      async (key) => {
        const rule = { workshopId: workshop.workshopId, askAgainMinutes: form['askAgainMinutes'] ?? '' };
        await setDeskRule(key.once(to), actor, { ...rule, seen: versionOf(form) });
        return to;
      },
      (refused) => list(visit, refused),
    );
  });
