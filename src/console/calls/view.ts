/** A call in words: the caller, the outcome, and the actions of staff. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { nationalPhone } from '#base/values/phone.ts';
import { redactedContacts } from '#base/values/redacted-contacts.ts';
import { type Html, hidden, linkButton } from '#platform/pages/components.ts';
import type { CallLead } from '#product/leads/schema.ts';
import { changeForm } from '../frame/form.ts';
import { nameShown, phoneLink, textShown } from '../frame/masked.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { Call } from './store.ts';

type Workshop = WorkshopVisit['workshop'];

const outcomes: Readonly<Record<CallLead['outcome'], readonly [kind: string, words: string]>> = {
  missed: ['bad', '✕ Missed'],
  voicemail: ['ask', '✉ Voicemail'],
  answered: ['good', '✓ Answered'],
};

export function outcomeMark({ outcome }: Call): SafeHtml {
  const [kind, words] = outcomes[outcome];
  return html`<span class="mark ${kind}">${words}</span>`;
}

export const calledBackMark = ({ state }: Call): SafeHtml | null =>
  state === 'called' ? html`<span class="mark good">✓ Called back</span>` : null;

/** The customer whose number it is, with a link; else the name that the partner was told. */
export function callerShown(
  { customerId, customer, callerName }: Call,
  { workshop, base }: WorkshopVisit,
): SafeHtml {
  if (customerId !== null)
    return html`<a href="${base}/customers/${customerId}">${nameShown(customer, workshop)}</a>`;
  return callerName === null ? html`<span>Unknown caller</span>` : nameShown(callerName, workshop);
}

/** People who may not see the number get no link that calls it. */
export const ringBack = ({ phone }: Call, { seesPhones }: Workshop): SafeHtml | null =>
  phone === null || !seesPhones ? null : linkButton(`Ring back ${nationalPhone(phone)}`, `tel:${phone}`);

/** The link to the recording at the partner: only https, and not when its address contains a hidden phone or e-mail. */
export function recordingLink({ recordingUrl }: Call, { seesPhones }: Workshop): SafeHtml | null {
  if (recordingUrl === null || !URL.canParse(recordingUrl)) return null;
  const { protocol, hostname, href } = new URL(recordingUrl);
  if (protocol !== 'https:' || (!seesPhones && redactedContacts(recordingUrl) !== recordingUrl)) return null;
  return html`<a href="${href}" rel="noopener noreferrer nofollow external" target="_blank">Recording <span class="quiet">(at ${hostname}, opens a new tab)</span></a>`;
}

/** `3:04`. */
export const lengthText = ({ durationSeconds }: Call): string | null =>
  durationSeconds === null
    ? null
    : `${Math.floor(durationSeconds / 60)}:${String(durationSeconds % 60).padStart(2, '0')}`;

export const timesText = ({ times }: Call): string | null =>
  times === 1 ? null : `rang ${times >= 100 ? '100 times or more' : `${times} times`} in two weeks`;

/** How often, how long, from where and by which partner, in one line. */
export const aboutCall = (call: Call, workshop: Workshop): string =>
  [timesText(call), lengthText(call), call.source, call.partner]
    .flatMap((part) => (part === null ? [] : [textShown(part, workshop)]))
    .join(' · ');

/** `note`: a field for one. `filter`: of the list that it leads back to; absent: to the call's page. Null: nobody need call back. */
export function markForm(
  { id, version, outcome, state }: Call,
  { base }: WorkshopVisit,
  { filter, note }: { readonly filter?: string; readonly note?: Html },
): SafeHtml | null {
  if (outcome === 'answered') return null;
  const action = `${base}/calls/${id}/${state === 'called' ? 'waiting' : 'called'}`;
  return changeForm({
    ...{ action, version },
    body: html`${note}${filter === undefined ? null : hidden('filter', filter)}<p class="buttons"><button class="button quiet">${state === 'called' ? 'Not called yet' : 'Mark as called'}</button></p>`,
  });
}

/** The actions on a call: a booking, a quote, a text. */
export function waysOn({ id, phone }: Call, { base, ...visit }: WorkshopVisit): SafeHtml[] {
  if (phone === null) return [];
  const its = `call=${id}`;
  return [
    ...(visit.may('changeBookings')
      ? [
          linkButton('New booking', `${base}/bookings/new?${its}`, 'quiet'),
          linkButton('New quote', `${base}/quotes/new?${its}`, 'quiet'),
        ]
      : []),
    ...(visit.may('wordTexts') ? [linkButton('Text', `${base}/calls/${id}/message`, 'quiet')] : []),
  ];
}

export const phoneShown = ({ phone }: Call, workshop: Workshop): SafeHtml | string =>
  phone === null ? 'erased' : phoneLink(phone, workshop);
