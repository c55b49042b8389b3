/** Long because a run is planned, stopped, judged and listed by statements that share its conditions. SQL of runs: planning them from events, stopping them, and those that are due. */

import type { QuietHours } from '#base/values/quiet-hours.ts';
import type { Queryable } from '#platform/db/database.ts';
import { deleteInSteps } from '#platform/db/in-steps.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { isSetOffByPage } from '#platform/events/page-withholds.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { AnyBooking } from '#product/bookings/schema.ts';
import { bookingJson } from '#product/bookings/snapshot.ts';
import type { TemplateWorkshop } from '#product/bookings/template-variables.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { noteChanged } from '#product/customers/search/store.ts';
import { customerSeen } from '#product/customers/seen/store.ts';
import { ensureCustomer } from '#product/customers/store.ts';
import { isOpenAt } from '#product/workshops/access/store.ts';
import { workshopJson } from '#product/workshops/store.ts';
import type { AutomationRun, Conditions, RunStatus, TriggerType } from '../schema.ts';
import { quietJson } from '../store.ts';

export interface NewRun {
  readonly id: string;
  readonly workshopId: string;
  readonly automationId: string;
  /** There is one run of each automation and cause. */
  readonly cause: string;
  readonly partnerId: string | null;
  readonly customerId: string;
  readonly bookingId: string | null;
  readonly bookingDate: Date | null;
  readonly referenceId: string | null;
  readonly status: 'scheduled' | 'skipped';
  readonly reason: string | null;
  readonly dueAt: Date;
  /** A page set it off. */
  readonly byPage: boolean;
}

/** What a partner or the staff trigger begins like this. */
const manual = 'manual';
export const manualCause = (key: string) => `${manual} ${key}`;
const isByEvent = (run: string) => `${run}.cause NOT LIKE '${manual} %'`;

/**
 * Inserts those whose cause is new, and schedules anew those that were skipped only because their booking had moved away from a
 * date that it has again. Returns how many rows it wrote.
 */
export async function insertRuns(tx: Queryable, runs: readonly NewRun[], now: Date): Promise<number> {
  if (runs.length === 0) return 0;
  const rows = await tx.query(
    `INSERT INTO automation_run AS old (id, workshop_id, automation_id, cause, partner_id, customer_id, booking_id,
       booking_date, reference_id,
       status, reason, due_at, by_page, created_at, ended_at)
     SELECT id, workshop_id, automation_id, cause, partner_id, customer_id, booking_id, booking_date, reference_id, status, reason,
       due_at, by_page, $2, CASE status WHEN 'skipped' THEN $2::timestamptz END
       FROM jsonb_to_recordset($1::jsonb) AS run (id uuid, workshop_id uuid, automation_id uuid, cause text, partner_id uuid,
         customer_id uuid, booking_id uuid, booking_date timestamptz, reference_id text, status text, reason text,
         due_at timestamptz, by_page boolean)
      ORDER BY automation_id, cause
     ON CONFLICT (automation_id, cause) DO UPDATE
       SET status = excluded.status, reason = excluded.reason, due_at = excluded.due_at, ended_at = excluded.ended_at,
         by_page = excluded.by_page
     WHERE old.status = 'skipped' AND old.reason = 'bookingMoved'
     RETURNING true`,
    [recordset(runs), now],
  );
  return rows.length;
}

interface Planned {
  readonly automationId: string;
  readonly workshopId: string;
  readonly type: TriggerType;
  readonly offsetMinutes: number;
  readonly quietHours: QuietHours | null;
  readonly timezone: string;
  readonly partnerId: string | null;
  readonly customerId: string;
  /** Business time. */
  readonly happenedAt: Date;
}

export interface PlannedOfBooking extends Planned {
  /** A page set it off. */
  readonly byPage: boolean;
  readonly bookingId: string;
  /** As it is now. */
  readonly bookingDate: Date;
}

const automationColumns = `a.id AS automation_id, a.workshop_id, a.trigger_type AS type,
  a.offset_minutes, ${quietJson('a')} AS quiet_hours, w.timezone`;

/**
 * The automations of these types that booking events set off, each with the booking as it is now: not where nobody is to be
 * notified (but for the pairs of automation and booking in `despiteSilence`), nor where the booking's date was past when it was made, nor for an update that did not move it, nor what happened before there was the automation. What a
 * cancelled booking leaves without a reason is left out; so is, with `ahead`, what goes before a booking that is not ahead.
 */
export async function plannedByBookings(
  tx: Queryable,
  eventIds: readonly string[],
  types: readonly TriggerType[],
  { ahead, despiteSilence }: { readonly ahead: boolean; readonly despiteSilence: readonly string[] },
): Promise<PlannedOfBooking[]> {
  return tx.query<PlannedOfBooking>(
    planOnce(`SELECT DISTINCT ON (a.id, b.id) ${automationColumns}, e.partner_id, b.customer_id,
            e.occurred_at AS happened_at, b.id AS booking_id, b.date AS booking_date, ${isSetOffByPage('e')} AS by_page
       FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = ANY($2::text[])
         AND a.created_at <= e.occurred_at
       JOIN workshop w ON w.id = a.workshop_id JOIN booking b ON b.id = e.subject_id
      WHERE e.id = ANY($1::uuid[])
        AND (e.kind <> 'booking.updated' OR (e.payload->>'dateChanged')::boolean)
        AND ((e.payload->>'notifyCustomer')::boolean OR a.id::text || ' ' || b.id::text = ANY($4::text[]))
        AND (e.payload->'booking'->>'date')::timestamptz >= (e.payload->'booking'->>'createdAt')::timestamptz
        AND CASE WHEN $3::boolean THEN b.status IN ('pending', 'confirmed') AND b.date > e.occurred_at
             ELSE a.trigger_type = 'bookingCancelled' OR b.status <> 'cancelled' END
      ORDER BY a.id, b.id, e.version DESC`),
    [eventIds, types, ahead, despiteSilence],
  );
}

export interface PlannedOfSubject extends Planned {
  /** The call, or the reminder. */
  readonly subjectId: string;
  readonly bookingId: string | null;
}

/** The longest time between a missed call and its record, for there to be a text. */
const callAge = `interval '24 hours'`;

/** The automations that missed calls set off. A caller whom the workshop does not know yet becomes a customer. */
export async function plannedByCalls(
  tx: Queryable,
  eventIds: readonly string[],
  now: Date,
): Promise<PlannedOfSubject[]> {
  const callers = await tx.query<{ id: string }>(
    planOnce(`WITH caller AS (
       SELECT DISTINCT e.workshop_id, e.payload->'callLead'->>'callerPhone' AS phone FROM event e
        WHERE e.id = ANY($1::uuid[]) AND (e.payload->'callLead'->>'calledAt')::timestamptz > e.occurred_at - ${callAge}
          AND e.payload->'callLead'->>'callerPhone' <> ''
          AND EXISTS (SELECT FROM automation a WHERE a.workshop_id = e.workshop_id AND a.trigger_type = 'callMissed'
            AND a.status = 'active' AND a.created_at <= e.occurred_at)
        ORDER BY 1, 2)
     ${ensureCustomer('caller', { newId: newIdSql, phone: 'phone', now: '$2::timestamptz' })}`),
    [eventIds, now],
  );
  await noteChanged(
    tx,
    callers.map(({ id }) => id),
  );
  return tx.query<PlannedOfSubject>(
    planOnce(`SELECT ${automationColumns}, e.partner_id, k.id AS customer_id, e.occurred_at AS happened_at, e.subject_id,
            NULL AS booking_id
       FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = 'callMissed' AND a.created_at <= e.occurred_at
       JOIN workshop w ON w.id = a.workshop_id
      CROSS JOIN LATERAL (
        SELECT id FROM customer WHERE phone = e.payload->'callLead'->>'callerPhone' AND workshop_id = e.workshop_id LIMIT 1) AS k
      WHERE e.id = ANY($1::uuid[]) AND (e.payload->'callLead'->>'calledAt')::timestamptz > e.occurred_at - ${callAge}`),
    [eventIds],
  );
}

/** The automations that sent service reminders set off. */
export async function plannedByReminders(
  tx: Queryable,
  eventIds: readonly string[],
): Promise<PlannedOfSubject[]> {
  return tx.query<PlannedOfSubject>(
    planOnce(`SELECT ${automationColumns}, e.partner_id, k.id AS customer_id, e.occurred_at AS happened_at, e.subject_id,
            NULL AS booking_id
       FROM event e JOIN automation a ON a.workshop_id = e.workshop_id AND a.trigger_type = 'reminderSent' AND a.created_at <= e.occurred_at
       JOIN workshop w ON w.id = a.workshop_id
      CROSS JOIN LATERAL (
        SELECT id FROM customer WHERE id = (e.payload->'serviceReminder'->>'customerId')::uuid AND workshop_id = e.workshop_id LIMIT 1) AS k
      WHERE e.id = ANY($1::uuid[])`),
    [eventIds],
  );
}

export interface Stopped {
  readonly runId: string;
  readonly automationId: string;
  readonly bookingId: string;
  /** True: it was not queued yet, and is skipped now. False: its message is queued, and has to be cancelled. */
  readonly wasScheduled: boolean;
}

/**
 * Stops runs that these bookings have set off: of the automations of these types; with `moved`, of those for another date than
 * the booking has now. The runs are held until the transaction ends.
 */
export async function stopRuns(
  tx: Queryable,
  bookingIds: readonly string[],
  types: readonly TriggerType[],
  reason: string,
  moved: boolean,
  now: Date,
): Promise<Stopped[]> {
  return tx.query<Stopped>(
    `WITH its AS (
       SELECT r.id, r.automation_id, r.booking_id, r.status
         FROM automation_run r JOIN automation a ON a.id = r.automation_id JOIN booking b ON b.id = r.booking_id
        WHERE r.booking_id = ANY($1::uuid[]) AND r.status IN ('scheduled', 'queued') AND a.trigger_type = ANY($2::text[])
          AND (r.booking_date IS NOT NULL OR ${isByEvent('r')}) AND (NOT $4::boolean OR r.booking_date IS DISTINCT FROM b.date)
        ORDER BY r.id FOR NO KEY UPDATE OF r),
     -- Those that are queued already are stopped by their messages.
     stopped AS (
       UPDATE automation_run r SET status = 'skipped', reason = $3, ended_at = $5 FROM its WHERE r.id = its.id AND its.status = 'scheduled')
     SELECT id AS run_id, automation_id, booking_id, status = 'scheduled' AS was_scheduled FROM its`,
    [bookingIds, types, reason, moved, now],
  );
}

export interface DueRun {
  readonly id: string;
  readonly workshopId: string;
  readonly partnerId: string | null;
  readonly type: TriggerType;
  readonly offsetMinutes: number;
  readonly conditions: Conditions;
  readonly quietHours: QuietHours | null;
  readonly isPaused: boolean;
  readonly isByEvent: boolean;
  readonly isOpen: boolean;
  readonly bookingDate: Date | null;
  readonly byPage: boolean;
  readonly template: {
    readonly id: string;
    readonly version: number;
    readonly body: string;
    readonly isPublished: boolean;
  };
  readonly workshop: TemplateWorkshop & { readonly smsSender: string | null };
  readonly booking: AnyBooking | null;
  readonly customerId: string;
  readonly isErased: boolean;
  /** E.164; null: erased, or not given. */
  readonly phone: string | null;
  /** As the run's partner may see them. */
  readonly customer: Readonly<Record<string, string | null>>;
  readonly lastBookingAt: Date | null;
}

const isDue = `status = 'scheduled' AND due_at <= $1`;

/** Up to `limit` runs that are due and have not failed in this job, the oldest first. */
export async function findDueRuns(db: Queryable, job: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM automation_run WHERE ${isDue} AND ${notFailed(job, 'automation_run.id')} ORDER BY due_at LIMIT $2`,
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

/** Holds those of these runs that are due until the transaction ends, the oldest first; those that another process holds are left out. */
export async function holdDueRuns(tx: Queryable, now: Date, ids: readonly string[]): Promise<DueRun[]> {
  return tx.query<DueRun>(
    `WITH due AS (
       SELECT * FROM automation_run WHERE id = ANY ($2::uuid[]) AND ${isDue} ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
     SELECT due.id, due.workshop_id, due.partner_id, a.trigger_type AS type, a.offset_minutes,
            a.conditions, ${quietJson('a')} AS quiet_hours, a.status = 'paused' AS is_paused, ${isByEvent('due')} AS is_by_event,
            ${isOpenAt('campaigns', 'due.partner_id', 'due.workshop_id')} AS is_open,
            due.booking_date, due.by_page,
            jsonb_build_object('id', t.id, 'version', t.version, 'body', t.body, 'isPublished', t.status = 'published') AS template,
            ${workshopJson} || jsonb_build_object('smsSender', w.sms_sender) AS workshop,
            CASE WHEN b.id IS NOT NULL THEN ${bookingJson('b', 'c')} END AS booking, k.id AS customer_id, k.phone,
            k.erased_at IS NOT NULL AS is_erased,
            ${customerSeen('k', 'due.partner_id')} AS customer, last.at AS last_booking_at
       FROM due JOIN automation a ON a.id = due.automation_id JOIN workshop w ON w.id = due.workshop_id
       JOIN template t ON t.id = a.template_id
       LEFT JOIN booking b ON b.id = due.booking_id LEFT JOIN car c ON c.id = b.car_id
       JOIN customer k ON k.workshop_id = due.workshop_id AND k.id = coalesce(b.customer_id, due.customer_id)
       LEFT JOIN LATERAL (
         SELECT max(o.date) AS at FROM booking o WHERE o.customer_id = ANY (${idsOf('k.id')}) AND o.status <> 'cancelled'
            AND o.id IS DISTINCT FROM due.booking_id) AS last ON true
      ORDER BY due.due_at`,
    [now, ids],
  );
}

/** What became of a run that was due. */
export interface RunTurn {
  readonly id: string;
  readonly status: 'scheduled' | 'queued' | 'failed' | 'skipped';
  readonly reason: string | null;
  /** Null: as it is. */
  readonly dueAt: Date | null;
  readonly messageId: string | null;
}

/** `now` is business time. */
export async function recordRunTurns(tx: Queryable, turns: readonly RunTurn[], now: Date): Promise<void> {
  await tx.query(
    `UPDATE automation_run r SET status = turn.status, reason = turn.reason, due_at = coalesce(turn.due_at, r.due_at),
      message_id = turn.message_id,
            ended_at = CASE WHEN turn.status NOT IN ('scheduled', 'queued') THEN $2::timestamptz END
       FROM jsonb_to_recordset($1::jsonb) AS turn (id uuid, status text, reason text, due_at timestamptz, message_id uuid)
       WHERE r.id = turn.id`,
    [recordset(turns), now],
  );
}

export interface RunRow extends Omit<AutomationRun, 'dueAt' | 'sentAt'> {
  readonly dueAt: Date;
  readonly sentAt: Date | null;
}

const runColumns = `id, automation_id, customer_id, booking_id, reference_id,
  CASE status WHEN 'queued' THEN 'scheduled' ELSE status END AS status, reason, due_at, sent_at, message_id`;

export async function findRun(db: Queryable, automationId: string, cause: string): Promise<RunRow | null> {
  const [row] = await db.query<RunRow>(
    `SELECT ${runColumns} FROM automation_run WHERE automation_id = $1 AND cause = $2`,
    [automationId, cause],
  );
  return row ?? null;
}

/** The newest first: `limit` of those before the id `before`, with one status or all. */
export async function listRuns(
  db: Queryable,
  automationId: string,
  page: { readonly status: RunStatus | null; readonly before: string | null; readonly limit: number },
): Promise<RunRow[]> {
  return db.query<RunRow>(
    `SELECT ${runColumns} FROM automation_run
      WHERE automation_id = $1 AND due_at IS NOT NULL AND (
          $2::text IS NULL OR CASE status WHEN 'queued' THEN 'scheduled' ELSE status END = $2)
        AND ${beforeId('id', '$3')}
      ORDER BY id DESC LIMIT $4`,
    [automationId, page.status, page.before, page.limit],
  );
}

/** When a run ended, as the index has it: a process of the release before does not say when. */
const endedAt = 'coalesce(ended_at, greatest(created_at, due_at, sent_at))';

/** Deletes the runs that ended before `before`, in steps; those with a reference answer their repeats for ever. */
export function deleteOldRuns(db: Queryable, before: Date): Promise<void> {
  const isOver = `reference_id IS NULL AND status NOT IN ('scheduled', 'queued')`;
  return deleteInSteps(db, 'automation_run', `${endedAt} < $1 AND ${isOver}`, [before]);
}

/** Runs that are due by then (business time) are skipped, with this reason. Returns how many. */
export async function skipDueRuns(tx: Queryable, now: Date, reason: string): Promise<number> {
  const rows = await tx.query(
    `UPDATE automation_run SET status = 'skipped', reason = $2, ended_at = $1 WHERE status = 'scheduled' AND due_at <= $1 RETURNING true`,
    [now, reason],
  );
  return rows.length;
}

/** One that has failed is given up by the operator. `now` is business time. */
export async function failRun(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE automation_run SET status = 'failed', reason = 'error', ended_at = $2 WHERE id = $1 AND status = 'scheduled'`,
    [id, now],
  );
}
