/** The forms of a changed e-mail address: the new address, and the codes that were sent to both. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, field, linkButton } from '#platform/pages/components.ts';
import { mailsCodes } from '#product/people/codes/ask.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { Visit } from '../frame/visit.ts';

const path = '/console/me/email';

export function emailCard({ context, form }: Visit, refused: Refused | null): SafeHtml {
  const isTyped = refused !== null && form['email'] !== undefined;
  const body = mailsCodes(context.config)
    ? changeForm({
        action: path,
        body: html`${field({ name: 'email', label: 'E-mail', value: isTyped ? form['email'] : '', error: faultOf(refused, 'email'), hint: 'A code goes to the new address, and one to the present one. You type in both.', required: true, type: 'email', max: 254 })}
${buttons(button('Change e-mail', 'quiet'))}`,
      })
    : html`<p>This installation sends no codes by e-mail: whoever runs it changes your address for you.</p>`;
  return html`<section class="card narrow" aria-labelledby="email-title"><h2 id="email-title">Another e-mail address</h2>${body}</section>`;
}

export function confirmPage({ who }: Visit, email: string, refused: Refused | null): ConsolePage {
  const code = (name: string, label: string, error?: string) =>
    field({
      ...{ name, label, error, required: true, max: 20 },
      ...{ autocomplete: 'one-time-code', capitals: 'characters' },
    });
  return {
    title: 'Type both codes',
    main: html`<div class="card narrow"><h1>Type both codes</h1>${refusal(refused)}<p>One is on its way to <strong><bdi>${email}</bdi></strong>, the other to <strong><bdi>${who.email}</bdi></strong>. Both hold for 10 minutes. Nothing changes before you have typed both in.</p>
${changeForm({
  action: `${path}/confirm`,
  body: html`${code('newCode', 'Code from the new address', faultOf(refused, 'newCode'))}${code('presentCode', 'Code from the present address')}
${buttons(button('Change e-mail'), linkButton('Your settings', '/console/me', 'quiet'))}`,
})}</div>`,
  };
}
