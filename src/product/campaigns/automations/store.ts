/** SQL of automations. */

import { foundById } from '#base/operator-error.ts';
import type { QuietHours } from '#base/values/quiet-hours.ts';
import type { Queryable } from '#platform/db/database.ts';
import { afterId, beforeId } from '#platform/db/page-bounds.ts';
import type { AutomationStatus, Conditions, TriggerType } from './schema.ts';

export interface AutomationRow {
  readonly id: string;
  readonly workshopId: string;
  readonly name: string;
  readonly type: TriggerType;
  readonly offsetMinutes: number;
  readonly conditions: Conditions;
  readonly templateId: string;
  /** Null: no quiet hours. */
  readonly quietHours: QuietHours | null;
  readonly status: AutomationStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A jsonb expression: the quiet hours of an automation row, or null. */
export const quietJson = (a: string) =>
  `CASE WHEN ${a}.quiet_from IS NOT NULL THEN jsonb_build_object(
    'from', to_char(${a}.quiet_from, 'HH24:MI'), 'to', to_char(${a}.quiet_until, 'HH24:MI')) END`;

const columns = `id, workshop_id, name, trigger_type AS type, offset_minutes, conditions,
  template_id, ${quietJson('automation')} AS quiet_hours, status, created_at, updated_at`;

export type NewAutomation = Omit<AutomationRow, 'status' | 'createdAt' | 'updatedAt'>;

export async function insertAutomation(db: Queryable, automation: NewAutomation, at: Date): Promise<void> {
  const { id, workshopId, name, type, offsetMinutes, conditions, templateId, quietHours } = automation;
  await db.query(
    `INSERT INTO automation (id, workshop_id, name, trigger_type, offset_minutes, conditions, template_id, quiet_from, quiet_until,
      created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8::time, $9::time, $10, $10)`,
    [
      ...[id, workshopId, name, type, offsetMinutes, JSON.stringify(conditions), templateId],
      ...[quietHours?.from ?? null, quietHours?.to ?? null, at],
    ],
  );
}

/** `workshopId` null: of any workshop, for the operator. */
export async function findAutomation(
  db: Queryable,
  workshopId: string | null,
  id: string,
): Promise<AutomationRow | null> {
  const [row] = await db.query<AutomationRow>(
    `SELECT ${columns} FROM automation WHERE id = $2 AND ($1::uuid IS NULL OR workshop_id = $1)`,
    [workshopId, id],
  );
  return row ?? null;
}

/** Finds by a typed id. Throws OperatorError when there is no such automation. */
export const requireAutomation = (db: Queryable, id: string): Promise<AutomationRow> =>
  foundById('automation', id, () => findAutomation(db, null, id));

/** Oldest first: up to `limit` after the id `after`. */
export async function listAutomations(
  db: Queryable,
  workshopId: string,
  after: string | null,
  limit: number,
): Promise<AutomationRow[]> {
  return db.query<AutomationRow>(
    `SELECT ${columns} FROM automation WHERE workshop_id = $1 AND ${afterId('id', '$2')} ORDER BY id LIMIT $3`,
    [workshopId, after, limit],
  );
}

/** Newest first: up to `limit` before the id `before`. */
export async function listNewestAutomations(
  db: Queryable,
  workshopId: string,
  before: string | null,
  limit: number,
): Promise<AutomationRow[]> {
  return db.query<AutomationRow>(
    `SELECT ${columns} FROM automation WHERE workshop_id = $1 AND ${beforeId('id', '$2')} ORDER BY id DESC LIMIT $3`,
    [workshopId, before, limit],
  );
}

/** Locks the automation until the transaction ends, so that no other change of it comes between. */
export async function lockAutomation(tx: Queryable, id: string): Promise<AutomationRow | null> {
  const [row] = await tx.query<AutomationRow>(
    `SELECT ${columns} FROM automation WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  return row ?? null;
}

/** Null when there is no such automation. */
export async function writeAutomationStatus(
  db: Queryable,
  id: string,
  status: AutomationStatus,
  at: Date,
): Promise<AutomationRow | null> {
  const [row] = await db.query<AutomationRow>(
    `UPDATE automation SET updated_at = CASE status WHEN $2 THEN updated_at ELSE $3::timestamptz END, status = $2 WHERE id = $1
      RETURNING ${columns}`,
    [id, status, at],
  );
  return row ?? null;
}
