/** SQL of call leads: recording one, reading one, the update after a booking, and retention. */

import { actors } from '#base/values/actor.ts';
import type { Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import { instantJson } from '#platform/db/json.ts';
import { columnOf, type RowValues } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { actorColumns, actorIn, actorIs, insertEvents } from '#platform/events/record.ts';
import { claimColumns, finishClaimCte, heldClaimCte } from '#platform/idempotency/store.ts';
import { changeCtes } from '#platform/records/change.ts';
import { linkGateCte } from '#product/workshops/access/store.ts';
import { callRecord } from './record.ts';
import { type CallLead, type OptionalField, optionalNames } from './schema.ts';
import { callLeadJson, leadLinks } from './snapshot.ts';

const columns = {
  callLeadId: 'uuid',
  partnerId: 'uuid',
  workshopId: 'uuid',
  externalId: 'text null',
  /** E.164. */
  callerPhone: 'text',
  calledAt: 'timestamptz',
  outcome: 'text',
  durationSeconds: 'integer null',
  source: 'text null',
  recordingUrl: 'text null',
  customerName: 'text null',
  notes: 'text null',
  /** The names of the optional fields in the request; in an update all others stay. */
  sent: 'text[]',
  eventId: 'uuid',
  missedEventId: 'uuid',
  now: 'timestamptz',
  ...actorColumns,
  ...claimColumns,
} as const;

export type RecordedCall = RowValues<typeof columns>;

const required = ['callerPhone', 'calledAt', 'outcome'] as const;
const content = [...required, ...optionalNames].map(columnOf);
const of = (row: string) => content.map((column) => `${row}.${column}`).join(', ');

const nextValue = (name: OptionalField) =>
  `CASE WHEN '${name}' = ANY (open.sent) THEN open.${columnOf(name)} ELSE known.${columnOf(name)} END AS ${columnOf(name)}`;

const written = `id, partner_id, workshop_id, external_id, ${content.join(', ')}, was_missed, version, created_at, updated_at`;

const recorded = {
  ...{ row: 'snapshot', payload: { callLead: 'call_lead' }, at: 'updated_at' },
  by: actorIn('snapshot'),
} as const;

/** The fields of a row of `next` or `known` that a repeated externalId may change. */
const contentJson = (row: string) =>
  `jsonb_build_object(${[...required, ...optionalNames]
    .map(
      (name) =>
        `'${name}', ${name === 'calledAt' ? instantJson(`${row}.called_at`) : `${row}.${columnOf(name)}`}`,
    )
    .join(', ')})`;
/** For two such objects, the fields of the first whose values differ in the second. */
const fieldsApart = (one: string, other: string) =>
  `(SELECT jsonb_object_agg(key, value) FROM jsonb_each(${one}) WHERE value IS DISTINCT FROM ${other} -> key)`;

/** `known` is the lead with the call's externalId, `next` the lead after the call, `differs` whether anything changes. */
const recordText = (input: string) => `WITH ${input},
  ${linkGateCte},
  ${heldClaimCte('gate')},
  open AS MATERIALIZED (
    SELECT * FROM gate
     WHERE link_active AND (claim_owner IS NULL OR EXISTS (SELECT FROM held_claim WHERE held_claim.ordinal = gate.ordinal))),
  known AS MATERIALIZED (
    SELECT open.ordinal, lead.* FROM open
      JOIN call_lead lead ON lead.partner_id = open.partner_id AND lead.external_id = open.external_id
       AND lead.workshop_id = open.workshop_id
     ORDER BY lead.id FOR NO KEY UPDATE OF lead),
  next AS MATERIALIZED (
    SELECT open.ordinal, open.idempotency_key, open.claim_owner, open.event_id, open.missed_event_id, open.actor, open.request_id,
           known.id IS NULL AS is_new, coalesce(known.id, open.call_lead_id) AS id, open.partner_id,
           open.workshop_id, known.customer_id, open.external_id,
           ${required.map((name) => `open.${columnOf(name)}`).join(', ')},
           ${optionalNames.map(nextValue).join(', ')},
           coalesce(known.was_missed, false) OR open.outcome = 'missed' AS was_missed,
           coalesce(known.created_at, open.now) AS created_at, open.now,
           known.version AS known_version, known.updated_at AS known_updated_at
      FROM open LEFT JOIN known ON known.ordinal = open.ordinal),
  judged AS MATERIALIZED (
    SELECT next.*, is_new OR (${of('next')}) IS DISTINCT FROM (${of('known')}) AS differs,
           next.was_missed AND NOT coalesce(known.was_missed, false) AS newly_missed,
           CASE WHEN NOT is_new THEN ${contentJson('known')} END AS known_content
      FROM next LEFT JOIN known ON known.ordinal = next.ordinal),
  lead AS MATERIALIZED (
    SELECT judged.*, CASE WHEN is_new THEN 1 WHEN differs THEN known_version + 1 ELSE known_version END AS version,
           CASE WHEN is_new THEN now WHEN differs THEN greatest(now, known_updated_at + interval '1 millisecond')
                ELSE known_updated_at END AS updated_at
      FROM judged),
  changed AS (
    UPDATE call_lead SET (${content.join(', ')}, was_missed, version, updated_at)
         = (${of('lead')}, lead.was_missed, lead.version, lead.updated_at)
      FROM lead WHERE call_lead.id = lead.id AND differs AND NOT is_new),
  made AS (
    INSERT INTO call_lead (${written}) SELECT ${written} FROM lead WHERE is_new ORDER BY id ON CONFLICT DO NOTHING RETURNING id),
  snapshot AS MATERIALIZED (
    SELECT lead.*, ${callLeadJson('lead', 'partner')} AS call_lead FROM lead ${leadLinks('lead')}
     WHERE NOT is_new OR lead.id IN (SELECT id FROM made)),
  recorded AS (
    ${insertEvents(
      {
        ...{ from: 'snapshot WHERE differs', id: 'event_id', ...recorded },
        kind: `CASE WHEN is_new THEN 'callLead.created' ELSE 'callLead.updated' END`,
        before: fieldsApart('known_content', contentJson('snapshot')),
        after: `CASE WHEN NOT is_new THEN ${fieldsApart(contentJson('snapshot'), 'known_content')} END`,
      },
      {
        ...{ from: 'snapshot WHERE newly_missed', id: 'missed_event_id', ...recorded },
        kind: `'callLead.missed'`,
      },
    )}),
  ${finishClaimCte(
    'snapshot',
    'CASE WHEN snapshot.is_new THEN 201 ELSE 200 END',
    `jsonb_build_object('success', true, 'callLead', snapshot.call_lead)`,
  )}
  SELECT ordinal, true AS link_active, 'written' AS state, is_new, call_lead FROM snapshot
  UNION ALL SELECT ordinal, true, 'raced', NULL, NULL FROM lead WHERE ordinal NOT IN (SELECT ordinal FROM snapshot)
  UNION ALL SELECT ordinal, link_active, 'notOpen', NULL, NULL FROM gate WHERE ordinal NOT IN (SELECT ordinal FROM open)`;

export type RecordedRow =
  | { linkActive: true; state: 'written'; isNew: boolean; callLead: CallLead }
  /** A concurrent request has recorded a call with this externalId. */
  | { linkActive: true; state: 'raced' }
  /** The link is off, or the idempotency claim was lost. */
  | { linkActive: boolean; state: 'notOpen' };

/** Records a call or updates the one with its externalId, with the events; null when the partner has no such workshop. */
export const writeCall = gather<RecordedCall, RecordedRow>({
  columns,
  build: ({ input }) => recordText(input),
  partnerOf: ({ partnerId }) => partnerId,
  keyOf: ({ partnerId, workshopId, externalId, callLeadId }) =>
    externalId === null ? callLeadId : `${partnerId} ${workshopId.toLowerCase()} ${externalId}`,
});

/** Records `callLead.updated` for each call whose `bookingId` is now the booking of one of these events. */
export async function recordBookedCalls(
  tx: Queryable,
  eventIds: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(
    planOnce(`WITH booked_call AS MATERIALIZED (
       SELECT lead.id FROM event e
         JOIN call_lead lead ON lead.caller_phone = e.payload->'booking'->'customer'->>'phone' AND lead.workshop_id = e.workshop_id
          AND lead.partner_id = e.partner_id ${leadLinks('lead')}
        WHERE e.id = ANY($1::uuid[]) AND booked.id = e.subject_id
        ORDER BY lead.id FOR NO KEY UPDATE OF lead),
     ${changeCtes(callRecord, {
       ...{ kind: `'callLead.updated'`, from: 'booked_call', where: 'r.id = booked_call.id' },
       ...{ now: '$2::timestamptz', by: actorIs(actors.schedule) },
     })}
     SELECT`),
    [eventIds, now],
  );
}
