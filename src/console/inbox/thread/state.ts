/** The state of a message, as a shape and words. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { ownValue } from '#base/values/own-value.ts';
import type { ThreadMessage } from './store.ts';

/** The reason why a message did not arrive, in words for staff. */
const reasons: Readonly<Record<string, string>> = {
  optedOut: 'the customer has opted out of SMS',
  refused: 'the carrier refused it',
  temporarilyRefused: 'the carrier refused it for now',
  invalidNumber: 'the carrier does not know this number',
  invalidAddress: 'there is no such e-mail address',
  gatewayUnavailable: 'it could not be handed over for sending',
  unknownOutcome: 'it is not known whether it was sent',
  countryNotAllowed: 'numbers of this country get no SMS from here',
  premiumRate: 'premium-rate numbers get no SMS',
  dailyCeiling: 'the number of SMS for that day was used up',
  pageCeiling: 'the number of messages for that hour was used up',
  expired: 'it waited for too long',
  cancelled: 'it was taken back',
  erased: 'the data of the customer were erased',
  superseded: 'a newer one took its place',
  error: 'something went wrong here',
};

/** `carrierBarred` → `carrier barred`: a gateway's own reason. */
const inWords = (reason: string): string =>
  ownValue(reasons, reason) ?? reason.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

const states: Readonly<Record<string, readonly [kind: string, shape: string, words: string]>> = {
  sending: ['', '◷', 'Queued'],
  accepted: ['', '✓', 'Sent'],
  delivered: ['good', '✓✓', 'Delivered'],
  failed: ['bad', '!', 'Not sent'],
  undelivered: ['bad', '!', 'Not delivered'],
  expired: ['bad', '!', 'Not delivered in time'],
  unknown: ['bad', '?', 'It is not known whether it was sent'],
  superseded: ['', '–', 'Not sent: a newer one took its place'],
};

type Stated = Pick<ThreadMessage, 'state' | 'reason'> & Partial<Pick<ThreadMessage, 'detail'>>;

/** Null for what was heard. */
export function stateMark({ state, reason, detail }: Stated): SafeHtml | null {
  if (state === 'received') return null;
  const [kind, shape, words] = ownValue(states, state) ?? ['', '·', state];
  const why = kind === 'bad' && state !== 'unknown' && reason ? `: ${inWords(reason)}` : '';
  // The detail of a text that was held back says already that it was not sent, and why.
  const said = reason === 'heldBack' && detail ? detail : `${words}${why}`;
  return html`<span class="mark ${kind}"><span aria-hidden="true">${shape}</span> ${said}</span>`;
}
