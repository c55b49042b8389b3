/** The people of a shared desk who can return by PIN. Shows only the names of people who have signed in at this browser. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Context } from '#platform/context.ts';
import { button, buttons, faults, field, focused, hidden, linkButton } from '#platform/pages/components.ts';
import { type AtDesk, listDesk } from '#product/people/desk/store.ts';
import { findAnySession } from '#product/people/sessions/store.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import type { SignInCookies } from '../sign-in/cookies.ts';
import { signInPath } from '../sign-in/next.ts';

export interface Desk {
  readonly people: readonly AtDesk[];
  /** The session for which a page was requested, and the page: only that person is redirected there. */
  readonly next?: { readonly sessionId: string; readonly path: string } | null;
  /** The fault of a PIN, and the person that it was for. */
  readonly fault?: { readonly sessionId: string; readonly message: string };
}

/** Null: nobody is there. */
export function deskForms({ people, next = null, fault }: Desk): SafeHtml | null {
  if (people.length === 0) return null;
  return html`<ul class="desk">${people.map(({ sessionId, name }) => {
    const error = fault?.sessionId === sessionId ? fault.message : undefined;
    return html`<li><form method="post" action="/console/sign-in/desk/${sessionId}"><fieldset><legend><bdi>${name}</bdi></legend>${next?.sessionId === sessionId ? hidden('next', next.path) : null}${field({ name: 'pin', id: `pin-${sessionId}`, label: 'PIN', error, required: true, type: 'password', isDigits: true, autocomplete: 'one-time-code', max: 20 })}${buttons(button(`Go on as ${name}`))}</fieldset></form></li>`;
  })}</ul>`;
}

const everybodyOut = html`<form method="post" action="/console/sign-out/everybody">${buttons(button('Sign out everybody here', 'quiet'))}</form>`;

/** Shown above the sign-in form. `own`: the person who is signed in already and need not return. */
export async function deskAtSignIn(
  { db }: Context,
  { browserSha256, sessionSha256 }: SignInCookies,
  { own, next }: { readonly own: string | null; readonly next: string | null },
): Promise<SafeHtml | null> {
  if (browserSha256 === null) return null;
  const people = (await listDesk(db, browserSha256)).filter(({ sessionId }) => sessionId !== own);
  if (people.length === 0) return null;
  const former = sessionSha256 && next !== null ? await findAnySession(db, sessionSha256) : null;
  const onwards = former && next !== null ? { sessionId: former.sessionId, path: next } : null;
  return html`<section aria-labelledby="desk-title"><h2 id="desk-title">Who is it?</h2>${deskForms({ people, next: onwards })}${everybodyOut}</section><h2>Somebody else</h2>`;
}

export interface SwitchPage extends Desk {
  /** The person at the desk now; null: unknown. */
  readonly own: { readonly name: string; readonly hasPin: boolean } | null;
  /** The refusal, when it is not about a PIN. */
  readonly message?: string;
}

export function switchPage({ own, message, ...desk }: SwitchPage): ConsolePage {
  const isRefusal = message !== undefined || desk.fault !== undefined;
  return {
    title: 'Switch person',
    isRefusal,
    main: html`<div class="card narrow"><h1>Switch person</h1>${message === undefined ? null : focused(html`<p>${message}</p>`)}${desk.fault === undefined ? null : faults([{ field: `pin-${desk.fault.sessionId}`, message: `PIN ${desk.fault.message}` }])}${own === null ? null : ownNote(own)}
${desk.people.length === 0 ? html`<p>Nobody else has signed in at this browser with a PIN.</p>` : deskForms(desk)}
<p class="buttons">${linkButton('Somebody else', signInPath(null, { other: '1' }), 'quiet')}${isRefusal ? linkButton('Back', '/console', 'quiet') : null}</p>
${everybodyOut}</div>`,
  };
}

const ownNote = ({ name, hasPin }: { readonly name: string; readonly hasPin: boolean }) =>
  html`<p>You are <strong><bdi>${name}</bdi></strong>. ${
    hasPin
      ? 'Your session waits here until your PIN brings it back.'
      : html`You have no PIN, so you are signed out when somebody else comes: <a href="/console/me#pin-title">set one</a> first.`
  }</p>`;
