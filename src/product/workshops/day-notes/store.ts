/** SQL of the notes of days. */
import type { Queryable } from '#platform/db/database.ts';

export interface DayNote {
  /** `YYYY-MM-DD`, local. */
  readonly date: string;
  /** Empty: it was cleared. */
  readonly text: string;
  readonly version: number;
  /** As `storedActor` returns it. */
  readonly actor: string;
  readonly updatedAt: Date;
}

/** The notes from one date to another, both included, by date. */
export async function readDayNotes(
  db: Queryable,
  workshopId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DayNote[]> {
  return db.query<DayNote>(
    `SELECT date::text AS date, text, version, actor, updated_at FROM day_note
      WHERE workshop_id = $1 AND date BETWEEN $2::date AND $3::date ORDER BY date`,
    [workshopId, from, to],
  );
}

/** Replaces the note of that version, 0 for none; returns the new version, null when it has changed since. */
export async function writeDayNote(
  tx: Queryable,
  workshopId: string,
  { date, text, version, actor, updatedAt }: DayNote,
): Promise<number | null> {
  const [row] = await tx.query<{ version: number }>(
    `WITH made AS (
       INSERT INTO day_note (workshop_id, date, text, version, actor, updated_at)
       SELECT $1, $2::date, $3, 1, $5, $6 WHERE $4::integer = 0
       ON CONFLICT (workshop_id, date) DO NOTHING RETURNING version
     ), changed AS (
       UPDATE day_note SET text = $3, version = version + 1, actor = $5, updated_at = $6
        WHERE workshop_id = $1 AND date = $2::date AND version = $4::integer RETURNING version
     )
     SELECT version FROM made UNION ALL SELECT version FROM changed`,
    [workshopId, date, text, version, actor, updatedAt],
  );
  return row?.version ?? null;
}

/** Deletes notes of days before a date. */
export async function purgeDayNotes(db: Queryable, before: Date): Promise<void> {
  await db.query('DELETE FROM day_note WHERE date < $1::date', [before]);
}
