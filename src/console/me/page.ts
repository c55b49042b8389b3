/** The page of /console/me. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { ownValue } from '#base/values/own-value.ts';
import { button, buttons, field, select } from '#platform/pages/components.ts';
import type { ShownSession } from '#product/people/sessions/list/store.ts';
import type { SignedInBy } from '#product/people/sessions/store.ts';
import type { ConsolePage } from '../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../frame/form.ts';
import { type Refused, versionShown } from '../frame/form-key/submit.ts';
import type { Visit } from '../frame/visit.ts';
import { methodsSaid } from './methods/section.ts';
import { newsScript } from './news-card.ts';
import { timeText } from './time-text.ts';

const said: Readonly<Record<string, string>> = {
  ...methodsSaid,
  saved: 'Saved.',
  ended: 'The session has ended.',
  pinSet: 'Your PIN is set.',
  pinRemoved: 'Your PIN is removed.',
  emailChanged: 'Your e-mail address is changed. Your other sessions have ended.',
};

export interface MeView {
  readonly sessions: readonly ShownSession[];
  /** The parts of the page with a form. */
  readonly cards: readonly SafeHtml[];
}

export function mePage(
  { who, form, query }: Visit,
  { sessions, cards }: MeView,
  refused: Refused | null,
): ConsolePage {
  const isTyped = refused !== null && form['name'] !== undefined;
  const singleKeys = isTyped ? form['singleKeys'] === 'on' : who.singleKeys;
  const settings = changeForm({
    action: '/console/me',
    version: isTyped ? versionShown(form, refused, who.version) : who.version,
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
    said: ownValue(said, query['said'] ?? '') ?? null,
    scripts: [newsScript],
    main: html`<h1>Your settings</h1>${refusal(refused)}
<section class="card narrow" aria-labelledby="about-you"><h2 id="about-you">About you</h2><p class="quiet"><bdi>${who.email}</bdi></p>${settings}</section>
${[...cards]}
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

/** A stolen cookie appears here as another session. */
const elsewhere = ({ usedNetwork, usedNetworkAt }: Pick<ShownSession, 'usedNetwork' | 'usedNetworkAt'>) =>
  usedNetwork === null || usedNetworkAt === null
    ? null
    : html` · <strong>used from ${usedNetwork}</strong> too, last ${timeText(usedNetworkAt)}`;

function rowOf(
  {
    sessionId,
    browser,
    network,
    signedInAt,
    usedAt,
    endedAt,
    signedInBy,
    isPutAside,
    ...session
  }: ShownSession,
  own: string,
): SafeHtml {
  const isOwn = sessionId === own;
  return html`<li><div class="row"><span class="row-title">${browser}${isOwn ? html` <span class="mark">This one</span>` : null}${isPutAside && endedAt === null ? html` <span class="mark">Waits for your PIN</span>` : null}</span><span class="row-detail">${network} · signed in ${timeText(signedInAt)}${signedInBy && ways[signedInBy]}${elsewhere(session)} · ${endedAt === null ? `last used ${timeText(usedAt)}` : `ended ${timeText(endedAt)}`}</span>${
    endedAt === null
      ? html`<form method="post" action="/console/me/sessions/${sessionId}/end"><button class="button quiet" aria-label="End the session of ${browser}, signed in ${timeText(signedInAt)}">End</button></form>`
      : null
  }</div></li>`;
}
