/** The section of /console/me about ways to sign in, with forms that add and remove them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, linkButton } from '#platform/pages/components.ts';
import type { ShownPasskey } from '#product/people/factors/passkeys/store.ts';
import { changeForm } from '../../frame/form.ts';
import { timeText } from '../time-text.ts';
import type { Methods } from './read.ts';

/** The message about the action just done. */
export const methodsSaid: Readonly<Record<string, string>> = {
  passkeyAdded: 'The passkey was added.',
  totpSet: 'The authenticator app is set up.',
  removed: 'Removed.',
};

/** `host`: passkeys of another host do not work here. */
export function methodsSection(email: string, methods: Methods, host: string): SafeHtml {
  const { passkeys, totp, recoveryCodes } = methods;
  const hasFactor = passkeys.length > 0 || totp !== null;
  return html`<section class="card narrow" aria-labelledby="sign-in-methods"><h2 id="sign-in-methods">How you sign in</h2><p>By a code, which is sent to <bdi>${email}</bdi> or printed for you${hasFactor ? ', and then by one of these; or by a passkey alone.' : '. A passkey or an authenticator app makes it safer: whoever reads your e-mail cannot sign in then.'}</p>
<h3>Passkeys</h3>${passkeys.length === 0 ? html`<p class="quiet">None yet.</p>` : html`<ul class="rows">${passkeys.map((each) => passkeyRow(each, host))}</ul>`}
${buttons(linkButton('Add a passkey', '/console/me/passkeys/new', 'quiet'))}
<h3>Authenticator app</h3>${totp === null ? html`<p class="quiet">None yet.</p>` : html`<p>Set up ${timeText(totp.createdAt)} · ${usedText(totp.usedAt)}</p>`}
${buttons(linkButton(totp === null ? 'Set up an authenticator app' : 'Set up another app', '/console/me/totp', 'quiet'))}
${totp === null ? null : changeForm({ action: '/console/me/totp/remove', body: buttons(button('Remove the authenticator app', 'quiet')) })}
${
  hasFactor
    ? html`<h3>Recovery codes</h3><p>${recoveryCodes} of 10 are left. Each stands in for a second factor, once.</p>${changeForm({ action: '/console/me/recovery-codes', body: buttons(button('Make new recovery codes', 'quiet')) })}`
    : null
}</section>`;
}

const usedText = (at: Date | null) => (at === null ? 'not used yet' : `last used ${timeText(at)}`);

function passkeyRow(
  { passkeyId, name, host: madeFor, createdAt, usedAt }: ShownPasskey,
  host: string,
): SafeHtml {
  const elsewhere = madeFor === host ? null : html` <span class="mark bad">for ${madeFor} alone</span>`;
  return html`<li><div class="row"><span class="row-title"><bdi>${name}</bdi>${elsewhere}</span><span class="row-detail">Added ${timeText(createdAt)} · ${usedText(usedAt)}</span>${changeForm(
    {
      action: `/console/me/passkeys/${passkeyId}/remove`,
      body: html`<button class="button quiet" aria-label="Remove the passkey ${name}">Remove</button>`,
    },
  )}</div></li>`;
}
