/** EACH KIND OF MESSAGE ON ONE PAGE: how it is composed, and which rules apply when it is sent. */

export type Channel = 'sms' | 'email';
export type Audience = 'customer' | 'workshop';

/** The order of classes at a gateway: conversations, then notices, then campaigns. */
export const classes = { conversation: 0, notice: 1, campaign: 2 } as const;
export type ClassName = keyof typeof classes;

export type KeptAs = 'notice' | 'conversation';

export interface Kind {
  /** Null: it is sent inside a request, and the sender does not claim it. */
  readonly class: ClassName | null;
  /** Where its text comes from; for readers of this page. */
  readonly composed: string;
  /**
   * Which SMS a customer's opt-out stops. `binds`: all. `exceptConfirmation`: all but the confirmation of the opt-out itself.
   * `exemptCountries`: all but those to countries that the operator has declared exempt. `none`: none, because no customer is the
   * recipient.
   */
  readonly optOut: 'binds' | 'exceptConfirmation' | 'exemptCountries' | 'none';
  /** Whether it is skipped, for good, while a customer may have asked for no more texts and staff have not decided. */
  readonly skippedWhileAsked: boolean;
  /**
   * The step after an unknown outcome of an SMS when the gateway has no look-up. `nextCall`: the next request with the same
   * referenceId decides. `neverRepeat`: it is never sent again. `repeatOnce`: it is sent again once, after a minute in which a
   * delivery report may settle it. An e-mail is always repeated, with the same Message-ID.
   */
  readonly unknownOutcome: 'nextCall' | 'neverRepeat' | 'repeatOnce';
  /** How long it may wait for a gateway, in milliseconds, before it is `expired`. Null: it does not wait. */
  readonly waitsAtMostMs: number | null;
  /** Whether its changes of state are `message.*` events. */
  readonly emitsEvents: boolean;
  /** Whether giving it up writes a dead letter for the operator; otherwise the campaign counts it. */
  readonly deadLetter: boolean;
  /** Whether the answer to the latest message of a conversation belongs to the partner of that message. */
  readonly answeredToPartner: boolean;
  /** The retention setting: `notice` is PITLANE_NOTICES_KEPT_DAYS, `conversation` is PITLANE_MESSAGES_KEPT_DAYS. */
  readonly kept: KeptAs;
}

const minute = 60_000;
const hour = 60 * minute;

export const kinds = {
  partnerMessage: {
    class: null,
    composed: "the partner's text or template, rendered in the request",
    optOut: 'binds',
    skippedWhileAsked: false,
    unknownOutcome: 'nextCall',
    waitsAtMostMs: null,
    emitsEvents: true,
    deadLetter: true,
    answeredToPartner: true,
    kept: 'conversation',
  },
  reply: {
    class: 'conversation',
    composed: "the staff's text, as it was written",
    optOut: 'binds',
    skippedWhileAsked: false,
    unknownOutcome: 'neverRepeat',
    waitsAtMostMs: 24 * hour,
    emitsEvents: true,
    deadLetter: true,
    answeredToPartner: false,
    kept: 'conversation',
  },
  confirmation: {
    class: 'conversation',
    composed: 'a fixed text, when an opt-out word comes in',
    optOut: 'exceptConfirmation',
    skippedWhileAsked: false,
    unknownOutcome: 'neverRepeat',
    // 47 CFR 64.1200(a)(12): of an opt-out it goes within five minutes, or not at all. So nobody sends it again later.
    waitsAtMostMs: 5 * minute,
    emitsEvents: true,
    deadLetter: false,
    answeredToPartner: false,
    kept: 'conversation',
  },
  helpAnswer: {
    class: 'conversation',
    composed: 'a fixed text, when HELP or INFO comes from a number of the US',
    optOut: 'binds',
    skippedWhileAsked: false,
    unknownOutcome: 'neverRepeat',
    waitsAtMostMs: hour,
    emitsEvents: true,
    deadLetter: false,
    answeredToPartner: false,
    kept: 'conversation',
  },
  bookingNotice: {
    class: 'notice',
    composed:
      "the workshop's template or ours, rendered with the values of its event when it is queued; the HTML of an e-mail at the hand-over",
    optOut: 'exemptCountries',
    skippedWhileAsked: false,
    unknownOutcome: 'repeatOnce',
    waitsAtMostMs: 24 * hour,
    emitsEvents: false,
    deadLetter: true,
    answeredToPartner: false,
    kept: 'notice',
  },
  quoteNotice: {
    class: 'notice',
    composed: 'as a notice of a booking, with the values of its own event',
    optOut: 'binds',
    skippedWhileAsked: false,
    unknownOutcome: 'repeatOnce',
    waitsAtMostMs: 24 * hour,
    emitsEvents: false,
    deadLetter: true,
    answeredToPartner: false,
    kept: 'notice',
  },
  carReady: {
    class: 'notice',
    composed:
      'as a notice of a booking, or in the words of whoever marked the car ready; without links but ours',
    optOut: 'exemptCountries',
    skippedWhileAsked: false,
    unknownOutcome: 'repeatOnce',
    waitsAtMostMs: 24 * hour,
    emitsEvents: false,
    deadLetter: true,
    answeredToPartner: false,
    kept: 'notice',
  },
  serviceReminder: {
    class: 'notice',
    composed:
      'our text with link and code: in the request, where the next call decides of an unknown outcome, or when it falls due',
    optOut: 'binds',
    skippedWhileAsked: true,
    unknownOutcome: 'neverRepeat',
    waitsAtMostMs: 24 * hour,
    emitsEvents: true,
    deadLetter: true,
    answeredToPartner: true,
    kept: 'conversation',
  },
  inboxDigest: {
    class: 'notice',
    composed: 'who wrote, when a round is closed; the HTML of an e-mail at the hand-over',
    optOut: 'none',
    skippedWhileAsked: false,
    unknownOutcome: 'repeatOnce',
    waitsAtMostMs: 24 * hour,
    emitsEvents: false,
    deadLetter: true,
    answeredToPartner: false,
    kept: 'notice',
  },
  automation: {
    class: 'campaign',
    composed: "the automation's template, with the values of the moment when it is queued",
    optOut: 'binds',
    skippedWhileAsked: true,
    unknownOutcome: 'neverRepeat',
    waitsAtMostMs: 24 * hour,
    emitsEvents: false,
    deadLetter: false,
    answeredToPartner: true,
    kept: 'conversation',
  },
  blast: {
    class: 'campaign',
    composed:
      "the blast's template as it was when sending began, with the values of the moment when it is queued",
    optOut: 'binds',
    skippedWhileAsked: true,
    unknownOutcome: 'neverRepeat',
    waitsAtMostMs: 24 * hour,
    emitsEvents: false,
    deadLetter: false,
    answeredToPartner: true,
    kept: 'conversation',
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
/** The kinds of messages that customers send: a text, or a tapback on one of ours. */
export type HeardKind = 'inbound' | 'reaction';
/** The kinds that are queued and sent by the sender. */
export type QueuedKind = {
  [Name in KindName]: (typeof kinds)[Name]['class'] extends null ? never : Name;
}[KindName];

/** The most attempts and look-ups of one message, after which it is given up with a dead letter. */
export const triesAtMost = 8;

export function kindsThat(hold: (kind: Kind) => boolean): readonly string[] {
  return Object.entries<Kind>(kinds).flatMap(([name, kind]) => (hold(kind) ? [name] : []));
}

export const sqlList = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/** The kinds whose changes of state are events, as a list of SQL literals. */
export const emittingKinds = sqlList(kindsThat(({ emitsEvents }) => emitsEvents));

/** Notices without `message.*` events, as a list of SQL literals. Messages of campaigns are counted by the campaign. */
export const silentNotices = sqlList(
  kindsThat(({ emitsEvents, class: its }) => !emitsEvents && its === 'notice'),
);

/** The kinds whose answers belong to the partner, as a list of SQL literals. */
export const answeredKinds = sqlList(kindsThat(({ answeredToPartner }) => answeredToPartner));

/** The kinds that get a dead letter when they are given up. */
export const letteredKinds = kindsThat(({ deadLetter }) => deadLetter);
