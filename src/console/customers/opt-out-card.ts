/** Whether a customer gets SMS; if not, since when and why, with the possible actions. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { localDate } from '#base/values/local-time.ts';
import { ownValue } from '#base/values/own-value.ts';
import type { TrailEntry } from '#platform/audit/read/store.ts';
import { button, buttons, linkButton } from '#platform/pages/components.ts';
import type { ToldOptIn } from '#product/customers/provider-opt-in/store.ts';
import type { CustomerRecord } from '#product/customers/store.ts';
import { changeForm } from '../frame/form.ts';
import { textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import { pathOf } from './open.ts';
import { startNote } from './opt-in.ts';

/** The stored actor; names of staff are in the trail. */
const causes: Readonly<Record<string, string>> = {
  'customer sms': 'They texted STOP.',
  'customer link': 'They asked for it on a page.',
  gateway: 'The SMS provider reported that they want none.',
  operator: 'It was done by the command line.',
};

/** The reason in words; empty: the trail does not reach that far back. */
export const optOutCause = (change: TrailEntry | null): string =>
  change?.action !== 'customer.optedOut'
    ? ''
    : (ownValue(causes, change.actor) ?? 'Staff were asked to stop.');

export function optOutCard(
  visit: WorkshopVisit,
  { optedOutAt, version, erasedAt }: CustomerRecord,
  change: TrailEntry | null,
  told: ToldOptIn | null,
): SafeHtml | null {
  if (erasedAt !== null) return null;
  if (optedOutAt !== null)
    return visit.may('runWorkshop')
      ? html`<section class="card"><h2>No SMS</h2><p class="quiet">Only the customer can want them again. ${startNote}</p>${buttons(linkButton('Opt in again', `${pathOf(visit)}/opt-in`, 'quiet'))}</section>`
      : null;
  const agreed = visit.may('seeTrail') ? agreement(visit, change, told) : null;
  if (!visit.may('correctCustomers')) return agreed;
  return html`${agreed}<section class="card">${changeForm({
    ...{ action: `${pathOf(visit)}/opt-out`, version },
    body: html`<p class="quiet">They want no SMS any more? Only an owner can opt them in again.</p>${buttons(button('Opt out', 'danger'))}`,
  })}</section>`;
}

/** Whether the SMS provider was told. */
function toldInWords({ state, detail }: ToldOptIn): string {
  switch (state) {
    case 'waiting':
      return 'The SMS provider is being told.';
    case 'told':
      return 'The SMS provider has been told.';
    case 'noCall':
      return `The SMS provider was not told: it has no call for it here. ${onlyStart}`;
    case 'overtaken':
      return 'The SMS provider was not told: they opted out again before.';
    case 'refused':
      return `The SMS provider was not told. ${detail ?? ''} ${onlyStart}`;
  }
}

const onlyStart =
  'If it goes on refusing our texts, only the customer can end that, by texting START to our number.';

/** How and when they have agreed to SMS again; null: there was no opt-out, or they did so themselves. */
function agreement(
  { workshop }: WorkshopVisit,
  change: TrailEntry | null,
  told: ToldOptIn | null,
): SafeHtml | null {
  const { agreement: how, agreedOn } = change?.after ?? {};
  if (change === null || typeof how !== 'string') return null;
  return html`<section class="card"><h2>SMS again</h2><p>Opted in again on ${localDate(change.occurredAt, workshop.timezone)}: ${textShown(how, workshop)}. They agreed on ${String(agreedOn)}.</p>${told === null ? null : html`<p class="quiet">${toldInWords(told)}</p>`}</section>`;
}
