/** SQL of what a workshop's people have chosen for the columns of files, by the form of a file. */
import type { Queryable } from '#platform/db/database.ts';
import type { ImportKind } from '../columns.ts';
import type { Matched } from './match.ts';

/** The most forms of a workshop; the least recently used go. */
export const formsAtMost = 50;

export interface FormOfFile {
  readonly workshopId: string;
  readonly kind: ImportKind;
  /** `formOf` of its headings. */
  readonly form: string;
}

/** Reads the last choice for files of this form, not judged; null: there is none. */
export async function findForm(db: Queryable, { workshopId, kind, form }: FormOfFile): Promise<unknown> {
  const [row] = await db.query<{ matched: unknown }>(
    `SELECT matched FROM import_form WHERE workshop_id = $1 AND kind = $2 AND heads_sha256 = decode($3, 'hex')`,
    [workshopId, kind, form],
  );
  return row?.matched ?? null;
}

export async function keepForm(
  tx: Queryable,
  { workshopId, kind, form }: FormOfFile,
  matched: Matched,
): Promise<void> {
  await tx.query(
    `INSERT INTO import_form (workshop_id, kind, heads_sha256, matched, used_at)
     VALUES ($1, $2, decode($3, 'hex'), $4, clock_timestamp())
     ON CONFLICT (workshop_id, kind, heads_sha256) DO UPDATE SET matched = excluded.matched, used_at = excluded.used_at`,
    [workshopId, kind, form, JSON.stringify(matched)],
  );
  await tx.query(
    `DELETE FROM import_form WHERE (workshop_id, kind, heads_sha256) IN (
       SELECT workshop_id, kind, heads_sha256 FROM import_form WHERE workshop_id = $1
        ORDER BY used_at DESC, heads_sha256 OFFSET $2)`,
    [workshopId, formsAtMost],
  );
}
