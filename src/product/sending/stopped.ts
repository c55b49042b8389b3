/** The outcome of messages that are deliberately not sent; they get no dead letter. */
import type { Action } from './claim/store.ts';
import type { Followed } from './send.ts';

export const stopped: Readonly<Record<Exclude<Action, 'send' | 'reconcile'>, Followed>> = {
  erased: { state: 'failed', reason: 'erased', detail: "The customer's data has been erased." },
  optedOut: { state: 'failed', reason: 'optedOut', detail: 'The customer has opted out of SMS.' },
  mayHaveOptedOut: {
    state: 'failed',
    reason: 'mayHaveOptedOut',
    detail: 'The customer may have asked for no more texts, and nobody had decided yet.',
  },
  invalidAddress: {
    state: 'failed',
    reason: 'invalidAddress',
    detail: 'An earlier e-mail to this address came back for good.',
  },
  cancelled: { state: 'failed', reason: 'cancelled', detail: 'What it followed from was cancelled.' },
  expired: {
    state: 'expired',
    reason: 'expired',
    detail: 'No gateway could take it in the time that it may wait.',
  },
  superseded: {
    state: 'superseded',
    reason: 'superseded',
    detail: 'A newer notice of the booking was sent.',
  },
  settled: { state: null },
};
