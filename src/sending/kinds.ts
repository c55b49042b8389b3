/** EACH KIND OF MESSAGE ON ONE PAGE: how it is composed, and what rules hold when it is sent. */

export type Channel = 'sms' | 'email';
export type Audience = 'customer' | 'workshop';

/** The order of classes at a gateway: what people wait for goes before notices, and notices before campaigns. */
export const classes = { conversation: 0, notice: 1, campaign: 2 } as const;
export type ClassName = keyof typeof classes;

export type KeptAs = 'notice' | 'conversation';

export interface Kind {
  /** Null: it is sent inside a request, and no loop claims it. */
  readonly class: ClassName | null;
  /** Where its text comes from, for whoever reads this page. */
  readonly composed: string;
  /**
   * Whether the opt-out of a customer stops its SMS; `exceptConfirmation`: not the one that says that it was heard;
   * `exemptCountries`: not where the operator has declared that they may go; `none`: it goes to no customer.
   */
  readonly optOut: 'binds' | 'exceptConfirmation' | 'exemptCountries' | 'none';
  /**
   * What follows when it is not known whether an SMS was handed over, and the gateway can't be asked: the next call with its
   * referenceId decides, it is never repeated, or it is repeated once after a minute in which a delivery report may settle it.
   * An e-mail is always repeated: its Message-ID stays the same.
   */
  readonly unknownOutcome: 'nextCall' | 'neverRepeat' | 'repeatOnce';
  /** How long it may wait for a gateway, in milliseconds; then it is `expired`. Null: it does not wait. */
  readonly waitsAtMostMs: number | null;
  /** Whether its changes of state are told as `message.*` events. */
  readonly emitsEvents: boolean;
  /** How long it is kept: `notice` for PITLANE_NOTICES_KEPT_DAYS, `conversation` for PITLANE_MESSAGES_KEPT_DAYS. */
  readonly kept: KeptAs;
}

const hour = 3_600_000;

export const kinds = {
  partnerMessage: {
    class: null,
    composed: "the partner's text or template, rendered in the request",
    optOut: 'binds',
    unknownOutcome: 'nextCall',
    waitsAtMostMs: null,
    emitsEvents: true,
    kept: 'conversation',
  },
  reply: {
    class: 'conversation',
    composed: "the staff's text, as it was written",
    optOut: 'binds',
    unknownOutcome: 'neverRepeat',
    waitsAtMostMs: 24 * hour,
    emitsEvents: true,
    kept: 'conversation',
  },
  confirmation: {
    class: 'conversation',
    composed: 'a fixed text, when an opt-out word comes in',
    optOut: 'exceptConfirmation',
    unknownOutcome: 'neverRepeat',
    waitsAtMostMs: 24 * hour,
    emitsEvents: true,
    kept: 'conversation',
  },
  bookingNotice: {
    class: 'notice',
    composed:
      "the workshop's template or ours, rendered with the values of its event when it is queued; the HTML of an e-mail at the hand-over",
    optOut: 'exemptCountries',
    unknownOutcome: 'repeatOnce',
    waitsAtMostMs: 24 * hour,
    emitsEvents: false,
    kept: 'notice',
  },
  inboxDigest: {
    class: 'notice',
    composed: 'who wrote, when a round is closed; the HTML of an e-mail at the hand-over',
    optOut: 'none',
    unknownOutcome: 'repeatOnce',
    waitsAtMostMs: 24 * hour,
    emitsEvents: false,
    kept: 'notice',
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
/** Those that are queued, for the loop to send. */
export type QueuedKind = {
  [Name in KindName]: (typeof kinds)[Name]['class'] extends null ? never : Name;
}[KindName];

/** Attempts and look-ups of one message; then it is given up, with a dead letter. */
export const triesAtMost = 8;

/** The kinds whose changes are told as events: a list of SQL literals. */
export const emittingKinds = Object.entries(kinds)
  .filter(([, { emitsEvents }]) => emitsEvents)
  .map(([name]) => `'${name}'`)
  .join(', ');
