/** Events: a verb records what happened in the commit of the change itself; the relay runs the planners that `reactions.ts` lists. */
import type { Queryable } from '#db/database.ts';

export const eventKinds = [
  'booking.created',
  'booking.updated',
  'booking.confirmed',
  'booking.cancelled',
  'booking.completed',
  'callLead.created',
  'callLead.updated',
  /** Beside the first of these whose outcome is `missed`. */
  'callLead.missed',
  'serviceReminder.scheduled',
  'serviceReminder.sent',
  'serviceReminder.failed',
  'serviceReminder.booked',
  'serviceReminder.cancelled',
  'quote.requested',
  'quote.quoted',
  'quote.accepted',
  'quote.declined',
  'quote.expired',
  'message.received',
  'message.accepted',
  'message.delivered',
  /** Not sent, not delivered, or with an unknown outcome: the state in its payload says which. */
  'message.failed',
  'customer.optedOut',
  'customer.optedIn',
] as const;
export type EventKind = (typeof eventKinds)[number];

export interface NewEvent {
  readonly id: string;
  readonly kind: EventKind;
  /** The partner that it concerns; null for none. */
  readonly partnerId: string | null;
  readonly workshopId: string;
  /** What it happened to: the booking, the message, the customer. */
  readonly subjectId: string;
  /** The subject's version after it. */
  readonly version: number;
  readonly payload: object;
  /** Business time. */
  readonly occurredAt: Date;
}

/** For statements that write the event in a CTE of their own: `INSERT INTO event (…) SELECT …`. */
export const eventColumns = 'id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at';

/** Writes one event; `tx` is the transaction of the change itself. */
export async function recordEvent(tx: Queryable, event: NewEvent): Promise<void> {
  await tx.query(`INSERT INTO event (${eventColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, [
    event.id,
    event.kind,
    event.partnerId,
    event.workshopId,
    event.subjectId,
    event.version,
    JSON.stringify(event.payload),
    event.occurredAt,
  ]);
}
