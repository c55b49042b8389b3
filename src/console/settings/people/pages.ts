/** The pages of a workshop's staff. An owner sees nothing of a person's other workshops. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { ownValue } from '#base/values/own-value.ts';
import { button, buttons, field, hidden, linkButton, select } from '#platform/pages/components.ts';
import type { PrintedCode } from '#product/people/codes/print.ts';
import { type InvitationFate, invitationFate } from '#product/people/invitation-fate.ts';
import type { Member } from '#product/people/members/store.ts';
import { roles } from '#product/people/permissions.ts';
import type { ConsolePage } from '../../frame/console-page.ts';
import { changeForm, faultOf, refusal } from '../../frame/form.ts';
import { type Refused, versionShown } from '../../frame/form-key/submit.ts';
import type { WorkshopVisit } from '../../frame/visit.ts';
import { trailOf } from '../../trail/view.ts';

export const rowsAtMost = 50;

const wayIn = 'open their name and choose Print a code.';
const added: Readonly<Record<InvitationFate, string>> = {
  mailed: 'Added. An e-mail tells them.',
  mailedWithoutCodes: `Added. An e-mail tells them, but no codes to sign in with are mailed: ${wayIn}`,
  noMailServer: `Added. No e-mail tells them, since this installation has no mail server: ${wayIn}`,
  dayLimit: `Added. No e-mail tells them, since 20 people were invited today: ${wayIn}`,
  hadPlace: 'They were here already, and have the role that you chose. No e-mail tells them.',
};

const said: Readonly<Record<string, string>> = {
  changed: 'Changed.',
  removed: 'Removed: their sessions have ended.',
  required: 'A second factor is required.',
  optional: 'A second factor is no longer required.',
  askAgain: 'Saved.',
};

const label = (role: string) => role.charAt(0).toUpperCase() + role.slice(1);
const roleOptions = roles.map((role) => ({ value: role, label: label(role) }));
const pathOf = ({ base }: WorkshopVisit, personId = '') =>
  `${base}/settings/people${personId === '' ? '' : `/${personId}`}`;

/** `members` may have one more than the page lists. */
export function peoplePage(
  visit: WorkshopVisit,
  members: readonly Member[],
  isRequired: boolean,
  refused: Refused | null,
  desk: SafeHtml,
): ConsolePage {
  const { form } = visit;
  const shown = members.slice(0, rowsAtMost);
  const last = members.length > rowsAtMost ? shown.at(-1) : undefined;
  const add = changeForm({
    action: pathOf(visit),
    body: html`${field({ name: 'email', label: 'E-mail', value: form['email'], error: faultOf(refused, 'email'), required: true, type: 'email', max: 254 })}
${field({ name: 'name', label: 'Name', value: form['name'], error: faultOf(refused, 'name'), required: true, capitals: 'words' })}
${select({ name: 'role', label: 'Role', value: form['role'] ?? 'adviser', error: faultOf(refused, 'role'), required: true, options: roleOptions })}
${buttons(button('Add'))}`,
  });
  return {
    title: 'People',
    current: 'More',
    said: saidOf(visit),
    main: html`<h1>People</h1>${refusal(refused)}<ul class="rows">${shown.map((member) => rowOf(visit, member))}</ul>
${last === undefined ? null : html`<p class="buttons">${linkButton('Next page', `${pathOf(visit)}?after=${last.personId}`, 'quiet')}</p>`}
<section class="card narrow" aria-labelledby="add"><h2 id="add">Add somebody</h2>${add}</section>
${requirement(visit, isRequired)}
${desk}`,
  };
}

function saidOf({ context, query }: WorkshopVisit): string | null {
  const { said: what = '' } = query;
  if (what === 'added') return added[invitationFate(context.config, 'queued')];
  return what === 'hadPlace' ? added.hadPlace : (ownValue(said, what) ?? null);
}

/** People without one are redirected to its set-up, also in existing sessions. */
function requirement(visit: WorkshopVisit, isRequired: boolean): SafeHtml {
  const text = isRequired
    ? html`It is required: whoever has no passkey and no authenticator app sets one up before anything else.`
    : html`A code from an e-mail is enough. Once it is required, everybody needs a passkey or an authenticator app as well; whoever has none sets one up before anything else, the next time they open a page. You need one of your own first: set it up in <a href="/console/me">your settings</a>.`;
  const label = isRequired ? 'Stop requiring it' : 'Require a second factor';
  return html`<section class="card narrow" aria-labelledby="secondFactor"><h2 id="secondFactor">Second factor</h2><p>${text}</p>${changeForm(
    {
      action: `${pathOf(visit)}/second-factor`,
      body: html`${hidden('required', isRequired ? 'no' : 'yes')}${buttons(button(label, 'quiet'))}`,
    },
  )}</section>`;
}

function rowOf(visit: WorkshopVisit, { personId, name, email, role }: Member): SafeHtml {
  return html`<li><a href="${pathOf(visit, personId)}"><span class="row-title"><bdi>${name}</bdi></span><span class="row-value">${label(role)}</span><span class="row-detail"><bdi>${email}</bdi></span></a></li>`;
}

/** The note at a switch that the owner lacks: they can take it, and not give it. */
const notYours = 'You lack this yourself, so you can take it from them and not give it.';

const check = (name: string, text: string, isOn: boolean, isOwn: boolean) =>
  html`<p class="check"><input type="checkbox" id="${name}" name="${name}"${isOn ? html` checked` : null}><label for="${name}">${text}</label></p>${isOwn ? null : html`<p class="quiet">${notYours}</p>`}`;

export async function memberPage(
  visit: WorkshopVisit,
  member: Member,
  refused: Refused | null,
): Promise<ConsolePage> {
  const { form } = visit;
  const trail = await trailOf(visit, member.personId);
  const path = pathOf(visit, member.personId);
  // The forms of a code and of a removal do not have these fields.
  const isTyped = refused !== null && form['role'] !== undefined;
  const isOn = (name: 'mayText' | 'seesPhones') => (isTyped ? form[name] === 'on' : member[name]);
  const settings = changeForm({
    action: path,
    version: isTyped ? versionShown(form, refused, member.version) : member.version,
    body: html`${select({ name: 'role', label: 'Role', value: isTyped ? form['role'] : member.role, error: faultOf(refused, 'role'), hint: 'A changed role ends their sessions.', required: true, options: roleOptions })}
${check('mayText', 'Writes texts to customers, as owner or adviser', isOn('mayText'), visit.workshop.mayText)}
${check('seesPhones', 'Sees phone numbers and e-mail addresses', isOn('seesPhones'), visit.workshop.seesPhones)}
${buttons(button('Save'))}`,
  });
  return {
    title: member.name,
    current: 'More',
    main: html`<p><a href="${pathOf(visit)}">People</a></p><h1><bdi>${member.name}</bdi></h1><p><bdi>${member.email}</bdi></p>${refusal(refused)}
<section class="card narrow" aria-labelledby="role-title"><h2 id="role-title">What they may do</h2>${settings}</section>
<section class="card narrow" aria-labelledby="code-title"><h2 id="code-title">Sign-in</h2><p>A code signs in as this person, once, within 10 minutes: tell it to them alone.</p>${changeForm({ action: `${path}/code`, body: buttons(button('Print a code', 'quiet')) })}</section>
<section class="card narrow" aria-labelledby="remove-title"><h2 id="remove-title">Remove</h2><p>They can't sign in to this workshop any more. What they did keeps their name.</p>${changeForm({ action: `${path}/remove`, version: member.version, body: buttons(button('Remove', 'danger')) })}</section>
${trail}`,
  };
}

export function codePage(
  visit: WorkshopVisit,
  { personId, name, email }: Member,
  { code, expiresAt }: PrintedCode,
): ConsolePage {
  const until = new Intl.DateTimeFormat('en-AU', { timeStyle: 'short', timeZone: visit.workshop.timezone });
  return {
    title: 'A code to sign in with',
    current: 'More',
    main: html`<div class="card narrow"><h1>A code for <bdi>${name}</bdi></h1><p class="code"><strong>${code}</strong></p><p>It is shown this once. It holds until ${until.format(expiresAt)}, works once, and goes with the e-mail address <bdi>${email}</bdi> at the sign-in.</p><p class="buttons">${linkButton('Done', pathOf(visit, personId), 'quiet')}</p></div>`,
  };
}
