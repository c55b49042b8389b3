/** The page of /console/me. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { button, buttons, field, select } from '#platform/pages/components.ts';
import type { ShownSession, SignedInBy } from '#product/people/sessions/store.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import type { Refused } from '../frame/form-key/submit.ts';
import type { ConsolePage } from '../frame/place.ts';
import type { Visit } from '../frame/visit.ts';
import { methodsSaid } from './methods/section.ts';
import { timeText } from './time-text.ts';

const said: Readonly<Record<string, string>> = {
  ...methodsSaid,
  saved: 'Saved.',
  ended: 'The session has ended.',
};

/** `methods`: the section about how they sign in. */
export function mePage(
  { who, form, query }: Visit,
  sessions: readonly ShownSession[],
  refused: Refused | null,
  methods: SafeHtml,
): ConsolePage {
  const isTyped = refused !== null;
  const singleKeys = isTyped ? form['singleKeys'] === 'on' : who.singleKeys;
  const settings = changeForm({
    action: '/console/me',
    version: who.version,
    body: html`${field({ name: 'name', label: 'Name', value: isTyped ? form['name'] : who.name, error: faultOf(refused, 'name'), required: true, autocomplete: 'name' })}
${select({
  ...{ name: 'undoSeconds', label: 'Undo stays for', required: true },
  value: isTyped ? form['undoSeconds'] : String(who.undoSeconds),
  options: [
    { value: '10', label: '10 seconds' },
    { value: '60', label: '60 seconds' },
  ],
})}
<p class="check"><input type="checkbox" id="singleKeys" name="singleKeys"${singleKeys ? html` checked` : null}><label for="singleKeys">Single keys, such as / for Find</label></p>
${buttons(button('Save'))}`,
  });
  return {
    title: 'Your settings',
    said: said[query['said'] ?? ''] ?? null,
    main: html`<h1>Your settings</h1>${refusal(refused)}
<section class="card narrow" aria-labelledby="about-you"><h2 id="about-you">About you</h2><p class="quiet"><bdi>${who.email}</bdi></p>${settings}</section>
${methods}
<section class="card narrow" aria-labelledby="sessions"><h2 id="sessions">Where you are signed in</h2><ul class="rows">${sessions.map((session) => rowOf(session, who.sessionId))}</ul></section>`,
  };
}

const ways: Readonly<Record<SignedInBy, string>> = {
  code: ' by a code',
  'code totp': ' by a code and the authenticator app',
  'code recoveryCode': ' by a code and a recovery code',
  passkey: ' by a passkey',
  address: ' by the address of the demo',
};

function rowOf(
  { sessionId, browser, network, signedInAt, usedAt, endedAt, signedInBy }: ShownSession,
  own: string,
): SafeHtml {
  const isOwn = sessionId === own;
  return html`<li><div class="row"><span class="row-title">${browser}${isOwn ? html` <span class="mark">This one</span>` : null}</span><span class="row-detail">${network} · signed in ${timeText(signedInAt)}${signedInBy && ways[signedInBy]} · ${endedAt === null ? `last used ${timeText(usedAt)}` : `ended ${timeText(endedAt)}`}</span>${
    endedAt === null
      ? html`<form method="post" action="/console/me/sessions/${sessionId}/end"><button class="button quiet" aria-label="End the session of ${browser}, signed in ${timeText(signedInAt)}">End</button></form>`
      : null
  }</div></li>`;
}
