/** The pages on which second factors are set up. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, field, hidden, linkButton } from '#platform/pages/components.ts';
import type { RelyingParty } from '#product/people/factors/passkeys/relying-party.ts';
import type { OfferedSeed } from '#product/people/factors/totp/set-up.ts';
import { browserOf } from '#product/people/sessions/browser.ts';
import type { ConsolePage } from '../../frame/console-page.ts';
import { changeForm, faultOf, hiddenKey, refusal } from '../../frame/form.ts';
import type { Refused } from '../../frame/form-key/submit.ts';
import { passkeyForm, passkeyScripts } from '../../frame/passkey-form.ts';
import type { Visit } from '../../frame/visit.ts';
import { qrCode } from './qr-code.ts';

const back = html`<p><a href="/console/me">Your settings</a></p>`;

/** For people without the second factor that their workshop requires: they can open no other page. */
export function setUpPage(workshop: string): ConsolePage {
  return {
    title: 'Set up a second factor',
    main: html`<div class="card narrow"><h1>Set up a second factor</h1><p><bdi>${workshop}</bdi> requires one of everybody who signs in: a code from your e-mail is not enough there. Choose what suits you; you can add the other later.</p>
<h2>A passkey</h2><p>Your finger, face or PIN on this device, or a security key. It signs you in without a code.</p>${buttons(linkButton('Add a passkey', '/console/me/passkeys/new'))}
<h2>An authenticator app</h2><p>Six digits on your phone, beside the code from your e-mail. It needs no JavaScript here.</p>${buttons(linkButton('Set up an authenticator app', '/console/me/totp', 'quiet'))}</div>`,
  };
}

export function newPasskeyPage(
  { form, request }: Visit,
  { origin }: RelyingParty,
  refused: Refused | null,
): ConsolePage {
  const browser = browserOf(request.headers['user-agent']);
  const usual = browser.charAt(0).toUpperCase() + browser.slice(1);
  const name = refused === null ? usual : form['name'];
  return {
    title: 'Add a passkey',
    scripts: passkeyScripts,
    main: html`${back}<h1>Add a passkey</h1>${refusal(refused)}<div class="card narrow"><p>Your browser asks for a finger, a face or a PIN. The passkey then signs you in here without a code.</p>${passkeyForm(
      {
        ...{ action: '/console/me/passkeys', kind: 'create', origin },
        body: html`${hiddenKey()}${field({ name: 'name', label: 'Name', value: name, error: faultOf(refused, 'name'), required: true, hint: 'By which you know it among others.', max: 100 })}${buttons(button('Create a passkey'))}`,
      },
    )}</div>`,
  };
}

export async function totpPage(
  { seed, uri, offered }: OfferedSeed,
  isReplaced: boolean,
  refused: Refused | null,
): Promise<ConsolePage> {
  return {
    title: 'Set up an authenticator app',
    main: html`${back}<h1>Set up an authenticator app</h1>${refusal(refused)}<div class="card narrow"><ol class="steps-down"><li>Open an authenticator app on your phone, and scan this.${await qrCode(uri)}<p>It can't be scanned? Type this key: <code class="secret">${spaced(seed)}</code></p></li>
<li>Type the six digits that the app shows now.${isReplaced ? ' The app from before is of no use then.' : ''}</li></ol>${changeForm(
      {
        action: '/console/me/totp',
        body: html`${hidden('offered', offered)}${field({ name: 'code', label: 'Code', error: faultOf(refused, 'code'), required: true, autocomplete: 'one-time-code', max: 20 })}${buttons(button('Confirm'))}`,
      },
    )}</div>`,
  };
}

/** In groups of four, as people type it. */
const spaced = (seed: string) => seed.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** They are shown once: only their hashes are stored. */
export function recoveryCodesPage(codes: readonly string[]): ConsolePage {
  const items: readonly SafeHtml[] = codes.map((code) => html`<li><code class="secret">${code}</code></li>`);
  return {
    title: 'Your recovery codes',
    main: html`<div class="card narrow"><h1>Your recovery codes</h1><p>Keep them where you find them without your phone: on paper, or in a password manager. Each stands in for your second factor, once. They are not shown again.</p><ol class="codes">${[...items]}</ol>${buttons(linkButton('I have kept them', '/console/sign-in/kept'))}</div>`,
  };
}
