/** SQL of blasts: their rows, and changes of their status. Recipients are in `recipients/store.ts`. */
import { foundById } from '#base/operator-error.ts';
import { usualQuietHours } from '#base/values/quiet-hours.ts';
import type { Queryable } from '#platform/db/database.ts';
import { afterId, beforeId } from '#platform/db/page-bounds.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { TemplateWorkshop } from '#product/bookings/template-variables.ts';
import { isQuiet } from '#product/sending/quiet.ts';
import { isOpenAt } from '#product/workshops/access/store.ts';
import { sendersJson } from '#product/workshops/senders/store.ts';
import type { WorkshopSenders } from '#product/workshops/senders/used.ts';
import { workshopJson } from '#product/workshops/store.ts';
import type { Audience } from './audience.ts';
import type { Blast, BlastStatus } from './schema.ts';

export type BlastCounts = Blast['counts'];

export interface BlastRow {
  readonly id: string;
  readonly workshopId: string;
  readonly name: string;
  readonly templateId: string;
  readonly audience: Audience;
  /** It goes to numbers of other countries too. */
  readonly otherCountries: boolean;
  readonly status: BlastStatus;
  readonly partnerId: string | null;
  readonly referenceId: string | null;
  readonly scheduledAt: Date | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly counts: BlastCounts;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The counts that each change of a recipient updates (`count_recipients.sql`). Recipients without a turn when the blast was cancelled count as skipped. */
const countsJson = `coalesce(b.counts, (
  SELECT jsonb_build_object(
           'recipients', coalesce(sum(c.waiting + c.queued + c.sent + c.delivered + c.failed + c.unknown + c.skipped), 0),
           'waiting', coalesce(sum(c.queued + CASE WHEN b.status = 'cancelled' THEN 0 ELSE c.waiting END), 0),
           'sent', coalesce(sum(c.sent + c.delivered), 0),
           'delivered', coalesce(sum(c.delivered), 0),
           'failed', coalesce(sum(c.failed), 0),
           'unknown', coalesce(sum(c.unknown), 0),
           'skipped', coalesce(sum(c.skipped + CASE WHEN b.status = 'cancelled' THEN c.waiting ELSE 0 END), 0))
    FROM blast_count c WHERE c.blast_id = b.id))`;

const columns = `b.id, b.workshop_id, b.name, b.template_id, b.audience, b.other_countries, b.status,
  b.partner_id, b.reference_id, b.scheduled_at, b.started_at,
  b.ended_at, ${countsJson} AS counts, b.created_at, b.updated_at`;

export type NewBlast = Pick<
  BlastRow,
  'id' | 'workshopId' | 'name' | 'templateId' | 'audience' | 'otherCountries'
>;

/** Inserts a draft. */
export async function insertBlast(db: Queryable, blast: NewBlast, at: Date): Promise<void> {
  const { id, workshopId, name, templateId, audience, otherCountries } = blast;
  await db.query(
    `INSERT INTO blast (id, workshop_id, name, template_id, audience, other_countries, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5::jsonb, $7, $6, $6)`,
    [id, workshopId, name, templateId, JSON.stringify(audience), at, otherCountries],
  );
}

/** `workshopId` null: of any workshop, for the operator. */
export async function findBlast(
  db: Queryable,
  workshopId: string | null,
  id: string,
): Promise<BlastRow | null> {
  const [row] = await db.query<BlastRow>(
    `SELECT ${columns} FROM blast b WHERE b.id = $2 AND ($1::uuid IS NULL OR b.workshop_id = $1)`,
    [workshopId, id],
  );
  return row ?? null;
}

/** Finds by a typed id. Throws OperatorError when there is no such blast. */
export const requireBlast = (db: Queryable, id: string): Promise<BlastRow> =>
  foundById('blast', id, () => findBlast(db, null, id));

/** Oldest first: up to `limit` after the id `after`. */
export async function listBlasts(
  db: Queryable,
  workshopId: string,
  after: string | null,
  limit: number,
): Promise<BlastRow[]> {
  return db.query<BlastRow>(
    `SELECT ${columns} FROM blast b WHERE b.workshop_id = $1 AND ${afterId('b.id', '$2')} ORDER BY b.id LIMIT $3`,
    [workshopId, after, limit],
  );
}

/** Newest first: up to `limit` before the id `before`. */
export async function listNewestBlasts(
  db: Queryable,
  workshopId: string,
  before: string | null,
  limit: number,
): Promise<BlastRow[]> {
  return db.query<BlastRow>(
    `SELECT ${columns} FROM blast b WHERE b.workshop_id = $1 AND ${beforeId('b.id', '$2')} ORDER BY b.id DESC LIMIT $3`,
    [workshopId, before, limit],
  );
}

export interface Triggering {
  readonly workshopId: string;
  readonly blastId: string;
  /** Null: the workshop itself. */
  readonly partnerId: string | null;
  readonly referenceId: string | null;
  /** A past time means now. */
  readonly scheduledAt: Date;
  readonly now: Date;
}

/** Schedules a draft; false when it is no longer a draft. Of two concurrent calls, one schedules it. */
export async function scheduleDraft(tx: Queryable, triggering: Triggering): Promise<boolean> {
  const { workshopId, blastId, partnerId, referenceId, scheduledAt, now } = triggering;
  const rows = await tx.query(
    `UPDATE blast SET status = 'scheduled', partner_id = $3, reference_id = $4,
      scheduled_at = greatest($5::timestamptz, $6::timestamptz), updated_at = $6
      WHERE id = $2 AND workshop_id = $1 AND status = 'draft' RETURNING true`,
    [workshopId, blastId, partnerId, referenceId, scheduledAt, now],
  );
  return rows.length > 0;
}

/** Locks the blast until the transaction ends, so that nothing is queued for it meanwhile. */
export async function lockBlast(tx: Queryable, id: string): Promise<BlastRow | null> {
  await tx.query('SELECT FROM blast WHERE id = $1 FOR NO KEY UPDATE', [id]);
  return findBlast(tx, null, id);
}

/** Writes the status of a locked blast; a final status also sets the end time. */
export async function writeStatus(tx: Queryable, id: string, status: BlastStatus, at: Date): Promise<void> {
  await tx.query(
    `UPDATE blast SET status = $2, updated_at = $3, ended_at = CASE WHEN $2 IN ('completed', 'cancelled') THEN $3::timestamptz END
      WHERE id = $1`,
    [id, status, at],
  );
}

export interface DueBlast {
  readonly id: string;
  readonly status: 'scheduled' | 'sending';
}

const queuedOf = (b: string) =>
  `(SELECT count(*) FROM (SELECT FROM blast_recipient r WHERE r.blast_id = ${b}.id AND r.state = 'queued' LIMIT $2::int + 1) AS queued)`;

/**
 * The blasts with work that is due by the business clock and has not failed in this job: blasts to begin; blasts with recipients to
 * queue, outside their quiet hours and with at most `queuedAtMost` messages queued; and blasts whose last message has its outcome.
 * Other blasts are not locked, since a lock is a write.
 */
export async function dueBlasts(
  db: Queryable,
  now: Date,
  queuedAtMost: number,
  job: string,
): Promise<DueBlast[]> {
  return db.query<DueBlast>(
    planOnce(`SELECT b.id, b.status FROM blast b JOIN workshop w ON w.id = b.workshop_id
      CROSS JOIN (VALUES (time '${usualQuietHours.from}', time '${usualQuietHours.to}')) AS usual (quiet_from, quiet_until)
      WHERE ${notFailed(job, 'b.id')} AND (b.status = 'scheduled' AND b.scheduled_at <= $1
         OR b.status = 'sending' AND CASE
              WHEN EXISTS (SELECT FROM blast_recipient r WHERE r.blast_id = b.id AND ${afterId('r.customer_id', 'b.queued_to')})
              THEN NOT ${isQuiet('usual', '$1::timestamptz', 'w.timezone')} AND ${queuedOf('b')} <= $2::int
              ELSE ${queuedOf('b')} = 0 END)
      ORDER BY b.id`),
    [now, queuedAtMost],
  );
}

/** Blasts that are being sent, or are due by then (business time). */
export async function begunBlasts(tx: Queryable, now: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM blast WHERE status = 'sending' OR status = 'scheduled' AND scheduled_at <= $1 ORDER BY id FOR NO KEY UPDATE`,
    [now],
  );
  return rows.map(({ id }) => id);
}

export interface BlastAtWork {
  readonly id: string;
  readonly workshopId: string;
  readonly partnerId: string | null;
  readonly templateId: string;
  readonly audience: Audience;
  readonly otherCountries: boolean;
  /** Null until sending begins. */
  readonly template: { readonly version: number; readonly body: string } | null;
  readonly queuedTo: string | null;
  /** False: the partner that triggered it is no longer allowed to. */
  readonly isOpen: boolean;
  readonly workshop: TemplateWorkshop & WorkshopSenders;
  /** The workshop's, ISO 3166. */
  readonly country: string;
}

/** Locks a blast with this status until the transaction ends; null when another process has locked it, or its status changed. */
export async function holdAtWork(
  tx: Queryable,
  id: string,
  status: DueBlast['status'],
): Promise<BlastAtWork | null> {
  const [row] = await tx.query<BlastAtWork>(
    `SELECT b.id, b.workshop_id, b.partner_id, b.template_id, b.audience, b.other_countries,
            w.country, b.queued_to, ${isOpenAt('campaigns', 'b.partner_id', 'b.workshop_id')} AS is_open,
            CASE WHEN v.number IS NOT NULL THEN jsonb_build_object('version', v.number, 'body', v.body) END AS template, 
            ${workshopJson} || ${sendersJson('w')} AS workshop
       FROM blast b JOIN workshop w ON w.id = b.workshop_id
       LEFT JOIN template_version v ON v.template_id = b.template_id AND v.number = b.template_version
      WHERE b.id = $1 AND b.status = $2 FOR NO KEY UPDATE OF b SKIP LOCKED`,
    [id, status],
  );
  return row ?? null;
}

/** Writes the beginning of a locked blast; its recipients are stored in the same transaction. */
export async function writeBeginning(
  tx: Queryable,
  id: string,
  templateVersion: number,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE blast SET status = 'sending', template_version = $2, started_at = $3, updated_at = $3 WHERE id = $1`,
    [id, templateVersion, at],
  );
}

/** Fixes the counts of up to `limit` blasts that ended before `before`. Returns how many. */
export async function fixCounts(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `WITH old AS (
       SELECT b.id, ${countsJson} AS counts FROM blast b WHERE b.counts IS NULL AND b.ended_at < $1 ORDER BY b.ended_at LIMIT $2
         FOR NO KEY UPDATE OF b SKIP LOCKED)
     UPDATE blast SET counts = old.counts FROM old WHERE blast.id = old.id RETURNING true`,
    [before, limit],
  );
  return rows.length;
}
