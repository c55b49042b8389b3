/**
 * Events: a verb records what happened in the commit of the change itself; the relay runs the planners that `reactions.ts` lists.
 * Every event is inserted here: by `recordEvent`, or as a part of a greater statement by `insertEvents`.
 */

import { type Actor, storedActor } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';

export const eventKinds = [
  'booking.created',
  'booking.updated',
  'booking.confirmed',
  'booking.cancelled',
  'booking.completed',
  /** It changes nothing of the booking, whose version it carries. Partners do not hear of it. */
  'booking.carReady',
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
  /** A notice to a customer, whose kind has none of these, was not sent, not delivered, or has an unknown outcome. For open pages alone. */
  'message.noticeFailed',
  'customer.corrected',
  'customer.optedOut',
  'customer.optedIn',
] as const;
export type EventKind = (typeof eventKinds)[number];

/** The parameters of a statement that say who makes its change. */
export const actorColumns = { actor: 'text', requestId: 'text null' } as const;

/** Their values. */
export function actorValues(actor: Actor): { readonly actor: string; readonly requestId: string | null } {
  return { actor: storedActor(actor), requestId: actor.requestId };
}

/** The author of a change, as SQL expressions. */
export interface ActorSql {
  readonly actor: string;
  readonly requestId: string;
}

/** The actor of a statement with `actorColumns` among its parameters. */
export const actorOf = ($: (name: keyof typeof actorColumns) => string): ActorSql => ({
  actor: $('actor'),
  requestId: $('requestId'),
});

/** The actor in a row that has `actorColumns`, such as `input`. */
export const actorIn = (row: string): ActorSql => ({
  actor: `${row}.actor`,
  requestId: `${row}.request_id`,
});

/** For statements that only one kind of actor runs: `schedule`, `gateway`. */
export const actorIs = (actor: Actor & { readonly requestId: null }): ActorSql => ({
  actor: `'${storedActor(actor)}'`,
  requestId: 'NULL',
});

export interface EventsSql {
  /** The FROM clause, with a WHERE clause where not each row is an event. */
  readonly from: string;
  /** The row in it that is the subject, after the change: `id`, `partner_id`, `workshop_id`, `version`. `from` where it is absent. */
  readonly row?: string;
  /** Made where it is absent. */
  readonly id?: string;
  readonly kind: string;
  /** Each name in the payload, with its value. */
  readonly payload: Readonly<Record<string, string>>;
  /** The changed fields before and after, as jsonb, for the audit trail alone; absent where it makes its subject. */
  readonly before?: string;
  readonly after?: string;
  /** Business time. */
  readonly at: string;
  readonly by: ActorSql;
}

const eventColumns =
  'id, kind, partner_id, workshop_id, subject_id, version, payload, occurred_at, actor, request_id, before, after';
const nothing = 'NULL::jsonb';

/** An INSERT of events, for a CTE of the statement that makes the change; its parts are SQL expressions. */
export function insertEvents(...events: readonly EventsSql[]): string {
  return `INSERT INTO event (${eventColumns})
      ${events.map(eventRows).join('\n      UNION ALL\n      ')}`;
}

function eventRows({
  from,
  row = from,
  id = newIdSql,
  kind,
  payload,
  at,
  by,
  ...changed
}: EventsSql): string {
  const { before = nothing, after = nothing } = changed;
  const fields = Object.entries(payload).map(([name, value]) => `'${name}', ${value}`);
  return `SELECT ${id}, ${kind}, ${row}.partner_id, ${row}.workshop_id, ${row}.id, ${row}.version,
             jsonb_build_object(${fields.join(', ')}), ${at}, ${by.actor}, ${by.requestId},
             ${before}, ${after}
        FROM ${from}`;
}

export interface NewEvent {
  readonly id: string;
  readonly kind: EventKind;
  /** The partner that it concerns; null for none. */
  readonly partnerId: string | null;
  readonly workshopId: string;
  /** The id of its subject: the booking, the message, the customer. */
  readonly subjectId: string;
  /** The subject's version after it. */
  readonly version: number;
  readonly payload: object;
  /** The changed fields before and after, for the audit trail alone. */
  readonly before?: object;
  readonly after?: object;
  /** Business time. */
  readonly occurredAt: Date;
  readonly actor: Actor;
}

/** Writes one event; `tx` is the transaction of the change itself. */
export async function recordEvent(tx: Queryable, event: NewEvent): Promise<void> {
  const { id, kind, partnerId, workshopId, subjectId, version, payload, occurredAt, actor } = event;
  const by = actorValues(actor);
  const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value));
  await tx.query(
    `INSERT INTO event (${eventColumns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[id, kind, partnerId, workshopId, subjectId, version, JSON.stringify(payload), occurredAt],
      ...[by.actor, by.requestId, jsonOf(event.before), jsonOf(event.after)],
    ],
  );
}
