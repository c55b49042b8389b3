/** The state of a conversation, as a shape and words. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { localDateTime } from '#base/values/local-time.ts';
import type { Desk } from '#product/messaging/inbox/desk/store.ts';

const states: Readonly<Record<Desk['state'], readonly [kind: string, shape: string, words: string]>> = {
  waiting: ['strong', '●', 'Waits for us'],
  open: ['', '↩', 'Answered'],
  done: ['good', '✓', 'Done'],
};

export const talkMark = (state: Desk['state']): SafeHtml => {
  const [kind, shape, words] = states[state];
  return html`<span class="mark ${kind}"><span aria-hidden="true">${shape}</span> ${words}</span>`;
};

export const optedOutMark = html`<span class="mark bad"><span aria-hidden="true">✕</span> Opted out</span>`;

/** The newest text to them did not arrive. */
export const failedMark = html`<span class="mark bad"><span aria-hidden="true">!</span> Not delivered</span>`;

const asksMark = html`<span class="mark strong"><span aria-hidden="true">?</span> Asks to stop?</span>`;

type Shown = Pick<Desk, 'state' | 'failed' | 'assignedTo' | 'optedOut' | 'asksToStop' | 'mayHaveMeant'>;

/** `personId`: who looks. `timezone`: the workshop's. */
export function talkMarks(
  { state, failed, assignedTo, optedOut, asksToStop, mayHaveMeant }: Shown,
  personId: string,
  timezone: string,
): SafeHtml[] {
  return [
    talkMark(state),
    asksToStop ? asksMark : null,
    mayHaveMeant === null
      ? null
      : html`<span class="mark strong"><span aria-hidden="true">?</span> May have meant the booking of ${localDateTime(new Date(mayHaveMeant.date), timezone)}</span>`,
    failed ? failedMark : null,
    assignedTo === null
      ? null
      : html`<span class="mark"><span aria-hidden="true">☺</span> <bdi>${assignedTo.personId === personId ? 'Mine' : assignedTo.name}</bdi></span>`,
    optedOut ? optedOutMark : null,
  ].filter((mark) => mark !== null);
}
