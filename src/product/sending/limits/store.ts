/** SQL of the daily ceilings: one row for each day and each partner or workshop, by the database's clock. */
import type { Queryable } from '#platform/db/database.ts';

/** The partner and workshop that an SMS counts for. */
export interface SmsAccount {
  /** Null for the workshop's own SMS: replies, confirmations, inbox digests. */
  readonly partnerId: string | null;
  readonly workshopId: string;
}

export interface Ceilings {
  readonly partner: number | null;
  readonly workshop: number | null;
}

/** The quota that one SMS took, to be returned if it is not sent. */
export interface Quota {
  readonly day: string;
  readonly subjects: readonly string[];
}

/**
 * Takes one SMS from each ceiling; null when one of them is used up. No ceiling is ever exceeded: its row is locked while one SMS
 * is counted. When only one ceiling is used up, the quota taken from the other is returned at once; another SMS that is counted in
 * between may be refused.
 */
export async function takeQuota(
  db: Queryable,
  { partnerId, workshopId }: SmsAccount,
  { partner, workshop }: Ceilings,
): Promise<Quota | null> {
  const [row] = await db.query<Quota & { wanted: number }>(
    `WITH today AS (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS day),
     -- The ceilings that there are.
     wanted AS (
       SELECT subject, id FROM (VALUES ('partner', $1::uuid, $3::integer), ('workshop', $2, $4)) AS v (subject, id, ceiling)
        WHERE id IS NOT NULL AND ceiling IS NOT NULL),
     -- One that is reached takes nothing, and the caller gives the other back.
     taken AS (
       INSERT INTO sms_day AS old (day, subject, subject_id, sent)
       SELECT day, subject, id, 1 FROM wanted CROSS JOIN today ORDER BY subject
       ON CONFLICT (day, subject, subject_id) DO UPDATE SET sent = old.sent + 1
        WHERE old.sent < CASE old.subject WHEN 'partner' THEN $3 ELSE $4 END
       RETURNING subject)
     SELECT today.day::text AS day, ARRAY(SELECT subject FROM taken) AS subjects, (SELECT count(*)::integer FROM wanted) AS wanted
       FROM today`,
    [partnerId, workshopId, partner, workshop],
  );
  if (!row) throw new Error('the day of a counted SMS is missing');
  const { wanted, ...quota } = row;
  if (quota.subjects.length === wanted) return quota;
  await returnQuota(db, { partnerId, workshopId }, quota);
  return null;
}

/** Returns quota of an SMS that was not sent. */
export async function returnQuota(
  db: Queryable,
  { partnerId, workshopId }: SmsAccount,
  { day, subjects }: Quota,
): Promise<void> {
  if (subjects.length === 0) return;
  await db.query(
    `WITH held AS (
       SELECT subject, subject_id FROM sms_day
        WHERE day = $1 AND subject = ANY($2::text[]) AND subject_id = CASE subject WHEN 'partner' THEN $3::uuid ELSE $4 END
        ORDER BY subject FOR UPDATE)
     UPDATE sms_day AS d SET sent = greatest(sent - 1, 0) FROM held
      WHERE d.day = $1 AND d.subject = held.subject AND d.subject_id = held.subject_id`,
    [day, subjects, partnerId, workshopId],
  );
}

/** Deletes days that are no longer counted. */
export async function purgeDays(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM sms_day WHERE day < (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date - 1)`);
}
