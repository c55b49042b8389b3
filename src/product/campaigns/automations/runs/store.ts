/** SQL of runs: they are made, stopped, listed, and deleted when they are old. The outcome of a message is written by `campaign_message_changed.sql`. */

import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { beforeId } from '#platform/db/page-bounds.ts';
import { recordset } from '#platform/db/parameters.ts';
import type { AutomationRun, RunStatus, TriggerType } from '../schema.ts';

export interface NewRun {
  readonly id: string;
  readonly workshopId: string;
  readonly automationId: string;
  /** The cause of the run, such as `booking` and its id. An automation has one run of each cause. */
  readonly cause: string;
  readonly partnerId: string | null;
  readonly customerId: string;
  readonly bookingId: string | null;
  readonly bookingDate: Date | null;
  readonly referenceId: string | null;
  readonly status: 'scheduled' | 'skipped';
  readonly reason: string | null;
  readonly dueAt: Date;
  /** True when a visitor of a page set it off. */
  readonly byPage: boolean;
}

/** The first word of the cause where a partner or the staff triggered the run. */
const manual = 'manual';
export const manualCause = (key: string) => `${manual} ${key}`;
export const isByEvent = (run: string) => `${run}.cause NOT LIKE '${manual} %'`;

/**
 * Inserts the runs whose cause is new to their automation; `now` is business time. A run that is there already stays as it is, with one
 * exception: it was skipped because its booking moved, and the booking has moved back to the same date. That run is scheduled again.
 * Returns the number of rows written.
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

export interface Stopped {
  readonly runId: string;
  readonly automationId: string;
  readonly bookingId: string;
  /** True: the run had no message yet, and is skipped now. False: its message is queued, and the caller has to cancel it. */
  readonly wasScheduled: boolean;
}

/**
 * Stops the runs that are scheduled or queued for these bookings, of automations with these triggers; with `moved`, only the runs whose
 * booking has another date now. A run that a partner or the staff triggered goes on, unless it was timed by the date of its booking. The
 * rows stay locked until the transaction ends. `now` is business time.
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

export interface RunRow extends Omit<AutomationRun, 'dueAt' | 'sentAt'> {
  readonly dueAt: Date;
  readonly sentAt: Date | null;
}

const runColumns = `id, automation_id, customer_id, booking_id, reference_id,
  CASE status WHEN 'queued' THEN 'scheduled' ELSE status END AS status, reason, due_at, sent_at, message_id`;

/** The run of this automation with this cause; null when there is none. */
export async function findRun(db: Queryable, automationId: string, cause: string): Promise<RunRow | null> {
  const [row] = await db.query<RunRow>(
    `SELECT ${runColumns} FROM automation_run WHERE automation_id = $1 AND cause = $2`,
    [automationId, cause],
  );
  return row ?? null;
}

/** One page of an automation's runs, the newest first: at most `limit` of them, with ids below `before`, with one status or with any. */
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

/** When a run ended. A process of an older release leaves `ended_at` empty, so the latest known time counts. An index has the same expression. */
const endedAt = 'coalesce(ended_at, greatest(created_at, due_at, sent_at))';

/** Deletes the runs that ended before `before`, in steps. A run with a reference is never deleted: it answers repeats of its request. */
export function deleteOldRuns(db: Queryable, before: Date): Promise<void> {
  const isOver = `reference_id IS NULL AND status NOT IN ('scheduled', 'queued')`;
  return deleteInBatches(db, 'automation_run', `${endedAt} < $1 AND ${isOver}`, [before]);
}
