/** The pages that ask for a second factor. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, field, hidden, linkButton } from '#platform/pages/components.ts';
import type { HalfSignIn } from '#product/people/sessions/half-open/store.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { passkeyScripts } from '../frame/passkey-form.ts';
import { signInPath } from './next.ts';
import { passkeyButton, type SignInPage } from './pages.ts';

type Page = Omit<SignInPage, 'email'>;

const path = '/console/sign-in/second';

const form = (body: SafeHtml, next: string | null) =>
  html`<form method="post" action="${path}">${next === null ? null : hidden('next', next)}${body}</form>`;

export const secondPath = (next: string | null, more: Readonly<Record<string, string>> = {}) => {
  const query = String(new URLSearchParams({ ...(next !== null && { next }), ...more }));
  return query === '' ? path : `${path}?${query}`;
};

const other = (next: string | null) =>
  linkButton('Use another address', signInPath(next, { other: '1' }), 'quiet');

/** The code of the authenticator app or a passkey, whichever the person has set up. */
export function secondPage({ email, hasTotp, hasPasskey }: HalfSignIn, page: Page): ConsolePage {
  const { next, fault } = page;
  const code = form(
    html`${field({ name: 'code', label: 'Authenticator code', error: fault, required: true, autocomplete: 'one-time-code', max: 20 })}${buttons(button('Sign in'))}`,
    next,
  );
  return {
    title: 'Second factor',
    ...(fault !== undefined && { isRefusal: true }),
    scripts: hasPasskey ? passkeyScripts : [],
    main: html`<div class="card narrow"><h1>Second factor</h1><p>You sign in as <strong><bdi>${email}</bdi></strong>. ${hasTotp ? 'Type the six digits that your authenticator app shows now.' : 'Use your passkey.'}</p>${
      hasTotp ? code : null
    }${hasPasskey ? passkeyButton(page) : null}${buttons(linkButton('Use a recovery code', secondPath(next, { by: 'recovery-code' }), 'quiet'), other(next))}</div>`,
  };
}

/** One of the ten recovery codes from the set-up. */
export function recoveryPage({ email }: HalfSignIn, { next, fault }: Page): ConsolePage {
  return {
    title: 'Recovery code',
    ...(fault !== undefined && { isRefusal: true }),
    main: html`<div class="card narrow"><h1>Recovery code</h1><p>You sign in as <strong><bdi>${email}</bdi></strong>. Each of your recovery codes works once. None is left? Whoever runs this installation can reset your second factors.</p>${form(
      html`${field({ name: 'recoveryCode', label: 'Recovery code', error: fault, required: true, capitals: 'characters', max: 40 })}${buttons(button('Sign in'))}`,
      next,
    )}${buttons(linkButton('Take another way', secondPath(next), 'quiet'), other(next))}</div>`,
  };
}
