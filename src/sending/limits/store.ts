/** SQL of the daily ceilings: one row for each day and each partner or workshop, by the database's clock. */
import type { Queryable } from '#db/database.ts';

/** For whom an SMS goes out. */
export interface SmsAccount {
  /** Null for what is the workshop's own: replies, confirmations, what tells it of answers. */
  readonly partnerId: string | null;
  readonly workshopId: string;
}

export interface Ceilings {
  readonly partner: number | null;
  readonly workshop: number | null;
}

/** Places that were taken, to be given back when nothing was sent. */
export interface Places {
  readonly day: string;
  readonly subjects: readonly string[];
}

/**
 * Takes a place under each ceiling that there is; null when one of them has none left. No ceiling is ever passed: its row is
 * locked while one SMS decides. Where one has room and the other none, the place of the first is given back at once, and an SMS
 * that came in that moment may be refused too.
 */
export async function takePlaces(
  db: Queryable,
  { partnerId, workshopId }: SmsAccount,
  { partner, workshop }: Ceilings,
): Promise<Places | null> {
  const [row] = await db.query<Places & { wanted: number }>(
    `WITH today AS MATERIALIZED (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS day),
     wanted AS (
       SELECT subject, id FROM (VALUES ('partner', $1::uuid, $3::integer), ('workshop', $2, $4)) AS v (subject, id, ceiling)
        WHERE id IS NOT NULL AND ceiling IS NOT NULL),
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
  if (!row) throw new Error('the day is not known');
  const { wanted, ...places } = row;
  if (places.subjects.length === wanted) return places;
  await returnPlaces(db, { partnerId, workshopId }, places);
  return null;
}

/** Gives places back: nothing was sent. */
export async function returnPlaces(
  db: Queryable,
  { partnerId, workshopId }: SmsAccount,
  { day, subjects }: Places,
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

/** Deletes the days that nobody counts any more. */
export async function purgeDays(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM sms_day WHERE day < (clock_timestamp() AT TIME ZONE 'UTC')::date - 1`);
}
