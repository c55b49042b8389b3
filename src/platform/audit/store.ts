/** SQL of the audit trail. Entries are inserted only here; only erasure and retention change them. */
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { planOnce } from '#platform/db/plan-modes.ts';

const columns =
  'id, occurred_at, workshop_id, partner_id, actor, request_id, subject_kind, subject_id, action, before, after, version';

export interface EntryRow {
  readonly at: Date;
  readonly workshopId: string | null;
  readonly partnerId: string | null;
  readonly actor: string;
  readonly requestId: string | null;
  readonly subjectKind: string;
  readonly subjectId: string | null;
  readonly action: string;
  /** JSON. */
  readonly before: string | null;
  readonly after: string | null;
}

export async function insertEntry(tx: Queryable, row: EntryRow): Promise<void> {
  const { at, workshopId, partnerId, actor, requestId, subjectKind, subjectId, action, before, after } = row;
  await tx.query(
    `INSERT INTO audit_entry (${columns}) VALUES (${newIdSql}, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL)`,
    [at, workshopId, partnerId, actor, requestId, subjectKind, subjectId, action, before, after],
  );
}

/**
 * The same, unless this person did the same within the last `seconds` by the machine's clock. Runs in a transaction: a concurrent
 * one for the same person and subject waits for it.
 */
export async function insertEntryOnce(tx: Queryable, row: EntryRow, seconds: number): Promise<void> {
  const { at, workshopId, partnerId, actor, requestId, subjectKind, subjectId, action, before, after } = row;
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('audit entry ' || $1, 0))`, [actor]);
  await tx.query(
    `INSERT INTO audit_entry (${columns})
     SELECT ${newIdSql}, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL
      WHERE NOT EXISTS (
        SELECT FROM audit_entry e WHERE e.actor = $4 AND e.actor LIKE 'person %'
           AND e.id >= (SELECT first_id(clock_timestamp() - make_interval(secs => $11)))
           AND e.action = $8 AND e.workshop_id = $2 AND e.subject_id = $7 AND e.after = $10::jsonb)`,
    [at, workshopId, partnerId, actor, requestId, subjectKind, subjectId, action, before, after, seconds],
  );
}

export interface EntriesSql {
  /** The FROM clause: rows with `id` (of the subject), `workshop_id` and `partner_id`. */
  readonly from: string;
  /** The stored actor, the subject, and what was done. */
  readonly actor: string;
  readonly subjectKind: string;
  readonly action: string;
  /** SQL expressions. */
  readonly before: string;
  readonly after: string;
  readonly at: string;
}

/** An INSERT of entries, for a CTE of the statement that makes the change. */
export const insertEntries = ({ from, actor, subjectKind, action, before, after, at }: EntriesSql): string =>
  `INSERT INTO audit_entry (${columns})
   SELECT ${newIdSql}, ${at}, ${from}.workshop_id, ${from}.partner_id, '${actor}', NULL, '${subjectKind}', ${from}.id, '${action}',
          ${before}, ${after}, NULL
     FROM ${from}`;

/** An event row as an entry, without its payload. */
const ofEvent = `e.id, e.occurred_at, e.workshop_id, e.partner_id, e.actor, e.request_id, split_part(e.kind, '.', 1) AS subject_kind,
       e.subject_id, e.kind AS action, e.before, e.after, e.version`;

/**
 * The events that the trail keeps: all with an actor, except the hand-over and the delivery reports of an SMS. Those are shown in
 * its conversation.
 */
const isKept = `e.actor IS NOT NULL AND NOT (e.kind LIKE 'message.%' AND e.actor IN ('gateway', 'schedule'))`;

const copy = (which: string) => `INSERT INTO audit_entry (${columns})
     SELECT ${ofEvent} FROM event e WHERE ${which} AND ${isKept} ORDER BY e.id ON CONFLICT (id) DO NOTHING`;
const copyText = planOnce(copy('e.id = ANY($1::uuid[])'));

/** Copies these events into the trail, as far as it keeps them; each once, however often it is called. */
export async function copyEvents(tx: Queryable, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length > 0) await tx.query(copyText, [eventIds]);
}

/** How long a process of the previous release may have relayed beside this one. */
const missedHours = 2;

/**
 * Copies what was relayed in the last hours and is not in the trail: a process of a release that kept none relayed it, beside new ones
 * during an upgrade. At most `limit` events; returns how many.
 */
export async function copyMissed(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(
    `${copy(`e.id IN (
       SELECT e.id FROM event e
        WHERE e.relayed_at >= (SELECT clock_timestamp() - make_interval(hours => $1)) AND e.relayed_at <= (SELECT clock_timestamp())
          AND ${isKept} AND NOT EXISTS (SELECT FROM audit_entry WHERE audit_entry.id = e.id)
        LIMIT $2)`)} RETURNING true`,
    [missedHours, limit],
  );
  return rows.length;
}

/** Condition: the event waits or is held, so it is not relayed yet. */
const waits = `(e.relayed_at IS NULL OR e.relayed_at = 'infinity')`;

/** The same for all waiting events, for a caller that makes sure that none of them is relayed. */
export async function copyWaiting(tx: Queryable): Promise<void> {
  await tx.query(copy(waits));
}

/** Waiting events in the form of entries: those that the relay will add to the trail. */
export const waitingEntries = `SELECT ${ofEvent} FROM event e WHERE ${waits} AND ${isKept}`;

export interface ErasedPerson {
  readonly workshopId: string;
  readonly customerId: string;
  /** The person's records and messages, and the customer. */
  readonly subjectIds: readonly string[];
  /** E.164. */
  readonly phones: readonly string[];
}

/** A condition on `before` and `after`: they name the person, for records that belong to another customer now. */
const names = `(before ->> 'customerId' = $2::text
  OR jsonb_path_exists(jsonb_build_array(before, after), '$.** ? (@ == $phones[*])', jsonb_build_object('phones', $3::text[])))`;

/**
 * Blanks the personal data of a person in the trail and in events; who did what, on what and when stays. For records that were the
 * person's and belong to another customer now, blanks what was recorded until then. Reads the whole trail of the workshop.
 */
export async function blankEntries(tx: Queryable, person: ErasedPerson): Promise<void> {
  const { workshopId, customerId, phones, subjectIds } = person;
  await tx.query(
    `UPDATE event SET before = NULL, after = NULL WHERE workshop_id = $1 AND before IS NOT NULL AND ${names}`,
    [workshopId, customerId, phones],
  );
  await tx.query(
    `WITH named AS MATERIALIZED (
       SELECT id, subject_id FROM audit_entry WHERE workshop_id = $1 AND (before IS NOT NULL OR after IS NOT NULL) AND ${names})
     UPDATE audit_entry e SET before = NULL, after = NULL
      WHERE workshop_id = $1 AND (before IS NOT NULL OR after IS NOT NULL)
        AND (subject_id = ANY($4::uuid[])
          OR EXISTS (SELECT FROM named WHERE named.subject_id = e.subject_id AND e.id <= named.id))`,
    [workshopId, customerId, phones, subjectIds],
  );
}
