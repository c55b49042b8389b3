/**
 * The author of a change: an argument of every verb that records an event, never ambient. The event carries it, for the workshop and the
 * operator; no answer, webhook or feed shows it. It holds ids, and no names.
 */

/** The request that asked for the change, by the id that is in its response and its log lines. */
interface Asked {
  /** Null: no request of HTTP. */
  readonly requestId: string | null;
}

/** Someone of the workshop's or the operator's staff who has signed in. */
export interface PersonActor extends Asked {
  readonly kind: 'person';
  readonly personId: string;
}

/** A partner's program. */
export interface PartnerActor extends Asked {
  readonly kind: 'partner';
  readonly partnerId: string;
  /** The app key that its access token was signed in with. */
  readonly appKey: string;
}

/** A workshop's customer: on a page that a link leads to, or by an SMS. Which customer, the subject of the change says. */
export interface CustomerActor extends Asked {
  readonly kind: 'customer';
  readonly by: 'link' | 'sms';
}

/**
 * The command line, Pitlane's own schedule, a gateway that reports the outcome of a message; and whoever is at the sign-in without being
 * signed in.
 */
interface OtherActor extends Asked {
  readonly kind: 'operator' | 'schedule' | 'gateway' | 'visitor';
}

export type Actor = PersonActor | PartnerActor | CustomerActor | OtherActor;

/** Each of them, made where the change is asked for: at the edge. */
export const actors = {
  person: (personId: string, requestId: string): PersonActor => ({ kind: 'person', personId, requestId }),
  partner: (partnerId: string, appKey: string, requestId: string): PartnerActor => ({
    ...{ kind: 'partner', partnerId, appKey, requestId },
  }),
  customerByLink: (requestId: string): CustomerActor => ({ kind: 'customer', by: 'link', requestId }),
  customerBySms: { kind: 'customer', by: 'sms', requestId: null },
  operator: { kind: 'operator', requestId: null },
  /** Also the planners: what follows from an event, and the sending of what is queued. */
  schedule: { kind: 'schedule', requestId: null },
  gateway: { kind: 'gateway', requestId: null },
  visitor: (requestId: string): OtherActor => ({ kind: 'visitor', requestId }),
} as const satisfies Readonly<Record<string, Actor | ((...ids: string[]) => Actor)>>;

/** The partner whose program it is; null for anyone else. */
export function partnerOf(actor: Actor): string | null {
  return actor.kind === 'partner' ? actor.partnerId : null;
}

/** Whether it is the workshop's own side, which gets no notice of what its own people do. */
export function isWorkshopItself({ kind }: Actor): boolean {
  return kind === 'person' || kind === 'operator';
}

/**
 * As it is stored, short since every event has it: `person <id>`, a partner's app key (`ptl_key_…`), `customer link`, `customer sms`,
 * `operator`, `schedule`, `gateway`, `visitor`. The partner's id stands beside it in the event.
 */
export function storedActor(actor: Actor): string {
  switch (actor.kind) {
    case 'person':
      return `person ${actor.personId}`;
    case 'partner':
      return actor.appKey;
    case 'customer':
      return `customer ${actor.by}`;
    default:
      return actor.kind;
  }
}
