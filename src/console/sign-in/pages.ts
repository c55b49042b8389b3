/** The pages of the sign-in. They are the same for every address that is typed. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, facts, field, hidden, linkButton, notice } from '#platform/pages/components.ts';
import type { KeptForm } from '#product/people/sessions/kept-forms/keep.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import type { Connection } from '../frame/cookie.ts';
import { changeForm } from '../frame/form.ts';
import { passkeyForm, passkeyScripts } from '../frame/passkey-form.ts';
import { signInPath } from './next.ts';

export interface SignInPage {
  readonly next: string | null;
  readonly connection: Connection;
  /** Whether this installation mails codes. */
  readonly isMailed: boolean;
  readonly email: string;
  /** The host on which passkeys of this service work. */
  readonly origin: string;
  /** The people who can sign in at this browser by a PIN; null: nobody. */
  readonly desk?: SafeHtml | null;
  readonly fault?: string | undefined;
  /** The fault of the last passkey. */
  readonly passkeyFault?: string | undefined;
}

const form = (body: SafeHtml, next: string | null) =>
  html`<form method="post" action="/console/sign-in">${next === null ? null : hidden('next', next)}${body}</form>`;

function connectionNote(connection: Connection): SafeHtml | null {
  if (connection === 'secure') return null;
  return connection === 'refused'
    ? notice(
        'bad',
        html`<p>This connection is not encrypted, so nobody can sign in over it. Open the console by its https address; whoever runs this installation can allow plain http with PITLANE_CONSOLE_HTTP=on.</p>`,
      )
    : notice(
        'info',
        html`<p>This connection is not encrypted: use it on this machine, or in a network that you trust, alone.</p>`,
      );
}

const otherWay =
  'This installation sends no codes by e-mail. Whoever runs it, or an owner of your workshop, can print one for you.';

/** Signs in by a passkey, which identifies its person. */
export const passkeyButton = ({ next, origin, passkeyFault }: Omit<SignInPage, 'email'>): SafeHtml =>
  passkeyForm({
    ...{ action: '/console/sign-in/passkey', kind: 'get', origin },
    fault: passkeyFault === undefined ? undefined : `The passkey ${passkeyFault}`,
    body: html`${next === null ? null : hidden('next', next)}${buttons(button('Sign in with a passkey', 'quiet'))}`,
  });

/** The field of the e-mail address, and the button of a passkey. */
export function emailPage(page: SignInPage): ConsolePage {
  const { next, connection, isMailed, email, desk = null, fault, passkeyFault } = page;
  return {
    title: 'Sign in',
    ...((fault ?? passkeyFault) !== undefined && { isRefusal: true }),
    ...(connection !== 'refused' && { scripts: passkeyScripts }),
    main: html`<div class="card narrow"><h1>Sign in</h1>${connectionNote(connection)}${
      connection === 'refused'
        ? null
        : html`${desk}${form(
            html`${field({ name: 'email', label: 'E-mail', value: email, error: fault, required: true, type: 'email', autocomplete: 'username', max: 254 })}<p class="hint">${isMailed ? 'A code to sign in with is sent to it. There is no password.' : otherWay}</p>${buttons(button('Send code'))}`,
            next,
          )}`
    }${connection === 'refused' ? null : passkeyButton(page)}</div>`,
  };
}

/** The field of the code. */
export function codePage({ next, connection, isMailed, email, fault }: SignInPage): ConsolePage {
  return {
    title: 'Type the code',
    ...(fault !== undefined && { isRefusal: true }),
    main: html`<div class="card narrow"><h1>Type the code</h1>${connectionNote(connection)}<p>${
      isMailed
        ? html`If <strong><bdi>${email}</bdi></strong> is known here, a code is on its way to it. It holds for 10 minutes, in this browser alone. None has come? Too many may have been asked for: whoever runs this installation, or an owner of your workshop, can print one.`
        : html`You sign in as <strong><bdi>${email}</bdi></strong>. ${otherWay}`
    }</p>${form(
      html`${field({ name: 'code', label: 'Code', error: fault, required: true, autocomplete: 'one-time-code', capitals: 'characters', max: 20 })}${buttons(button('Sign in'))}`,
      next,
    )}${form(
      html`${hidden('email', email)}${buttons(isMailed ? button('Send another code', 'quiet') : null, linkButton('Use another address', signInPath(next, { other: '1' }), 'quiet'))}`,
      next,
    )}</div>`,
  };
}

export const signOutPage: ConsolePage = {
  title: 'Sign out',
  main: html`<div class="card narrow"><h1>Sign out</h1><form method="post" action="/console/sign-out">${buttons(button('Sign out'))}</form></div>`,
};

const isVisible = (name: string) => name !== 'key' && name !== 'version';

/**
 * The form from before the session ended. It is shown before it is sent, since another person at the browser may have typed it;
 * only that person can send it.
 */
export function keptPage({ path, fields }: KeptForm): ConsolePage {
  return {
    title: 'Your session had ended',
    main: html`<div class="card narrow"><h1>Your session had ended</h1><p>What you had typed was kept, and nothing was changed by it yet. Send it only if you know it.</p>
${facts([['Page', path], ...Object.entries(fields).filter(([name]) => isVisible(name))])}
<form method="post" action="${path}">${Object.entries(fields).map(([name, value]) => hidden(name, value))}${buttons(button('Send it now'))}</form>
${changeForm({ action: '/console/sign-in/kept', body: buttons(button('Drop it', 'quiet')) })}</div>`,
  };
}

/** The page of the address that the demo prints. */
export function demoPage(token: string, next: string | null, connection: Connection): ConsolePage {
  return {
    title: 'The demo',
    main: html`<div class="card narrow"><h1>The demo's office</h1>${connectionNote(connection)}<p>You become the owner of a workshop that does not exist. Nothing leaves this machine.</p><form method="post" action="/console/sign-in/demo/${token}">${next === null ? null : hidden('next', next)}${buttons(button('Sign in'))}</form></div>`,
  };
}
