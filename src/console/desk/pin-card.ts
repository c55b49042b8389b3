/** The forms of the PIN, on /console/me. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, field } from '#platform/pages/components.ts';
import { findPinDate } from '#product/people/desk/pin/store.ts';
import { changeForm, faultOf } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { Visit } from '../frame/visit.ts';

const path = '/console/me/pin';

export async function pinCard({ context, who }: Visit, refused: Refused | null): Promise<SafeHtml> {
  const isSet = (await findPinDate(context.db, who.personId)) !== null;
  const set = changeForm({
    action: path,
    body: html`${field({ name: 'pin', label: 'PIN', error: faultOf(refused, 'pin'), hint: 'Six digits. Not a row such as 123456, and no digits that repeat.', required: true, type: 'password', isDigits: true, autocomplete: 'one-time-code', max: 20 })}
${buttons(button(isSet ? 'Change PIN' : 'Set PIN', 'quiet'))}`,
  });
  const remove = isSet
    ? changeForm({ action: `${path}/remove`, body: buttons(button('Remove PIN', 'quiet')) })
    : null;
  return html`<section class="card narrow" aria-labelledby="pin-title"><h2 id="pin-title">PIN for a shared desk</h2><p>Where several people use one browser, each signs in there once, and then comes back by a PIN: choose <strong>Switch person</strong> under your name. It is good there alone, and five wrong ones in a row sign you out there.</p>${isSet ? html`<p>You have a PIN.</p>` : null}${set}${remove}</section>`;
}
