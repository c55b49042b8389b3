/** Messages as a list. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import { ownValue } from '#base/values/own-value.ts';
import { textShown } from '../frame/masked.ts';
import { reasonInWords } from '../frame/reasons.ts';
import type { WorkshopVisit } from '../frame/visit.ts';
import type { Said } from './store.ts';

type Workshop = WorkshopVisit['workshop'];

export function saidList(said: readonly Said[], workshop: Workshop): SafeHtml {
  if (said.length === 0) return html`<p class="quiet">Nothing yet.</p>`;
  return html`<ol class="story">${said.map((each) => saidItem(each, workshop))}</ol>`;
}

/** The state of a message without a failure; empty: no state to show. */
const onItsWay: Readonly<Record<string, string>> = {
  sending: ', on its way',
  accepted: ', sent',
  delivered: ', delivered',
  ...{ received: '', superseded: '' },
};

function saidItem(said: Said, workshop: Workshop): SafeHtml {
  const { direction, channel, kind, subject, body, state, reason, at } = said;
  const from = direction === 'inbound' ? 'The customer' : kind === 'partnerMessage' ? 'The partner' : 'We';
  const text = channel === 'email' ? (subject ?? 'E-mail') : body;
  return html`<li class="${direction}"><p class="quiet">${from}, ${channel === 'email' ? 'e-mail' : 'SMS'}, ${localDateTime(at, workshop.timezone)}${ownValue(onItsWay, state) ?? html` <span class="mark bad">! ${state}${reason ? `: ${reasonInWords(reason)}` : ''}</span>`}</p><p class="message">${textShown(text, workshop)}</p></li>`;
}
