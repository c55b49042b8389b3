/** SQL of runs that are due: they are found, locked, and their outcome is recorded. */

import type { QuietHours } from '#base/values/quiet-hours.ts';
import type { Queryable } from '#platform/db/database.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { AnyBooking } from '#product/bookings/schema.ts';
import { bookingJson } from '#product/bookings/snapshot.ts';
import type { TemplateWorkshop } from '#product/bookings/template-variables.ts';
import { idsOf } from '#product/customers/merged/store.ts';
import { customerSeen } from '#product/customers/seen/store.ts';
import { isOpenAt } from '#product/workshops/access/store.ts';
import { sendersJson } from '#product/workshops/senders/store.ts';
import type { WorkshopSenders } from '#product/workshops/senders/used.ts';
import { workshopJson } from '#product/workshops/store.ts';
import type { Conditions, TriggerType } from '../../schema.ts';
import { quietJson } from '../../store.ts';
import { isByEvent } from '../store.ts';

export interface DueRun {
  readonly id: string;
  readonly workshopId: string;
  readonly partnerId: string | null;
  readonly type: TriggerType;
  readonly offsetMinutes: number;
  readonly conditions: Conditions;
  readonly quietHours: QuietHours | null;
  readonly isPaused: boolean;
  /** False when a partner or the staff triggered it. */
  readonly isByEvent: boolean;
  /** True when the run's partner, or without one the workshop's staff, may send campaigns now. */
  readonly isOpen: boolean;
  readonly bookingDate: Date | null;
  readonly byPage: boolean;
  readonly template: {
    readonly id: string;
    readonly version: number;
    readonly body: string;
    readonly isPublished: boolean;
  };
  readonly workshop: TemplateWorkshop & WorkshopSenders;
  readonly booking: AnyBooking | null;
  readonly customerId: string;
  readonly isErased: boolean;
  /** E.164; null when it was erased or never given. */
  readonly phone: string | null;
  /** The customer's details that the partner of the run may see. */
  readonly customer: Readonly<Record<string, string | null>>;
  /** The latest date among the customer's other bookings; cancelled ones do not count. */
  readonly lastBookingAt: Date | null;
}

const isDue = `status = 'scheduled' AND due_at <= $1`;

/** The ids of at most `limit` runs that are due at `now` (business time), the longest due first. Runs that failed in `job` are left out. */
export async function findDueRuns(db: Queryable, job: string, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    planOnce(
      `SELECT id FROM automation_run WHERE ${isDue} AND ${notFailed(job, 'automation_run.id')} ORDER BY due_at LIMIT $2`,
    ),
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Locks those of these runs that are still due, until the transaction ends, and reads what decides about them, the longest due first. Runs
 * that another process has locked are left out. `now` is business time.
 */
export async function holdDueRuns(tx: Queryable, now: Date, ids: readonly string[]): Promise<DueRun[]> {
  return tx.query<DueRun>(
    `WITH due AS (
       SELECT * FROM automation_run WHERE id = ANY ($2::uuid[]) AND ${isDue} ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
     SELECT due.id, due.workshop_id, due.partner_id, a.trigger_type AS type, a.offset_minutes,
            a.conditions, ${quietJson('a')} AS quiet_hours, a.status = 'paused' AS is_paused, ${isByEvent('due')} AS is_by_event,
            ${isOpenAt('campaigns', 'due.partner_id', 'due.workshop_id')} AS is_open,
            due.booking_date, due.by_page,
            jsonb_build_object('id', t.id, 'version', t.version, 'body', t.body, 'isPublished', t.status = 'published') AS template,
            ${workshopJson} || ${sendersJson('w')} AS workshop,
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

/** The outcome for a run that was due; `scheduled` when it waits until a later time. */
export interface RunTurn {
  readonly id: string;
  readonly status: 'scheduled' | 'queued' | 'failed' | 'skipped';
  readonly reason: string | null;
  /** Null leaves it unchanged. */
  readonly dueAt: Date | null;
  readonly messageId: string | null;
}

/** Writes the outcomes. A run that is neither scheduled nor queued any more has ended at `now` (business time). */
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

/** Skips all runs that are due at `now` (business time), with this reason. Returns their number. */
export async function skipDueRuns(tx: Queryable, now: Date, reason: string): Promise<number> {
  const rows = await tx.query(
    `UPDATE automation_run SET status = 'skipped', reason = $2, ended_at = $1 WHERE status = 'scheduled' AND due_at <= $1 RETURNING true`,
    [now, reason],
  );
  return rows.length;
}

/** Ends a scheduled run as failed: the operator has given it up after an error. `now` is business time. */
export async function failRun(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE automation_run SET status = 'failed', reason = 'error', ended_at = $2 WHERE id = $1 AND status = 'scheduled'`,
    [id, now],
  );
}
