/** The state of a message, as a shape and words. */

import { html, type SafeHtml } from '@remix-run/html-template';
import { ownValue } from '#base/values/own-value.ts';
import { reasonInWords } from '../../frame/reasons.ts';
import type { ThreadMessage } from './store.ts';

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
  const why = kind === 'bad' && state !== 'unknown' && reason ? `: ${reasonInWords(reason)}` : '';
  // The detail of a text that was held back says already that it was not sent, and why.
  const said = reason === 'heldBack' && detail ? detail : `${words}${why}`;
  return html`<span class="mark ${kind}"><span aria-hidden="true">${shape}</span> ${said}</span>`;
}
