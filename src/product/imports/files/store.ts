/** SQL of files between their dry run and their import, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { planOnce } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { Checked } from '../check.ts';
import type { ImportKind } from '../columns.ts';
import type { Counts } from '../counts.ts';
import type { DateOrder } from '../days.ts';
import type { Matched } from '../matched/match.ts';
import type { RowFault } from '../rows.ts';

export type FileState = 'checked' | 'importing' | 'imported' | 'stopped';

/** The result of the dry run, for display. */
export interface Report extends Checked {
  /** The first faults. */
  readonly firstFaults: readonly RowFault[];
  /** Why the columns have to be matched by hand first; absent: they need not be. */
  readonly unclear?: string;
}

export interface ImportFile {
  readonly id: string;
  readonly workshopId: string;
  readonly kind: ImportKind;
  readonly fileName: string;
  readonly dateOrder: DateOrder | null;
  /** The field that a person has chosen for each column; null: the headings say it. */
  readonly matched: Matched | null;
  readonly state: FileState;
  readonly report: Report;
  /** The number of rows that are done. */
  readonly taken: number;
  /** The counts so far; null: the import has not begun. */
  readonly counts: Counts | null;
}

const columns = 'id, workshop_id, kind, file_name, date_order, matched, state, report, taken, counts';

export interface NewFile
  extends Pick<ImportFile, 'id' | 'workshopId' | 'kind' | 'fileName' | 'dateOrder' | 'matched' | 'report'> {
  /** In its stored form. */
  readonly actor: string;
  readonly content: Buffer;
}

export async function insertFile(tx: Queryable, file: NewFile): Promise<void> {
  const { id, workshopId, actor, kind, fileName, dateOrder, matched, report, content } = file;
  await tx.query(
    `INSERT INTO import_file (id, workshop_id, actor, kind, file_name, date_order, state, file_content, report, matched, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'checked', $7, $8, $9, clock_timestamp())`,
    [
      ...[id, workshopId, actor, kind, fileName, dateOrder, content, JSON.stringify(report)],
      matched === null ? null : JSON.stringify(matched),
    ],
  );
}

/** Puts a further dry run in the place of the last; false: the file was begun, dropped, or matched otherwise than this run has it. */
export async function replaceReport(
  tx: Queryable,
  {
    id,
    workshopId,
    dateOrder,
    matched,
    report,
  }: Pick<ImportFile, 'id' | 'workshopId' | 'dateOrder' | 'matched' | 'report'>,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE import_file SET date_order = $3, report = $4, changed_at = clock_timestamp()
      WHERE id = $1 AND workshop_id = $2 AND state = 'checked' AND matched IS NOT DISTINCT FROM $5::jsonb RETURNING true`,
    [id, workshopId, dateOrder, JSON.stringify(report), matched === null ? null : JSON.stringify(matched)],
  );
  return rows.length > 0;
}

/** Keeps only the newest few of the files that wait for a person. */
export async function dropOlder(tx: Queryable, workshopId: string, keep: number): Promise<void> {
  await tx.query(
    `DELETE FROM import_file WHERE id IN (
       SELECT id FROM import_file WHERE workshop_id = $1 AND state = 'checked' ORDER BY id DESC OFFSET $2)`,
    [workshopId, keep],
  );
}

export async function findFile(db: Queryable, workshopId: string, id: string): Promise<ImportFile | null> {
  const [file] = await db.query<ImportFile>(
    `SELECT ${columns} FROM import_file WHERE id = $1 AND workshop_id = $2`,
    [id, workshopId],
  );
  return file ?? null;
}

/** Newest first. */
export async function listFiles(db: Queryable, workshopId: string, limit: number): Promise<ImportFile[]> {
  return db.query<ImportFile>(
    `SELECT ${columns} FROM import_file WHERE workshop_id = $1 ORDER BY id DESC LIMIT $2`,
    [workshopId, limit],
  );
}

export async function readContent(db: Queryable, workshopId: string, id: string): Promise<Buffer | null> {
  const [row] = await db.query<{ content: Buffer | null }>(
    'SELECT coalesce(file_content, content) AS content FROM import_file WHERE id = $1 AND workshop_id = $2',
    [id, workshopId],
  );
  return row?.content ?? null;
}

/** Stores what a person has chosen for the columns of a waiting file, with its new dry run; false: it was begun or dropped already. */
export async function matchFile(
  tx: Queryable,
  {
    id,
    workshopId,
    dateOrder,
    matched,
    report,
  }: Pick<NewFile, 'id' | 'workshopId' | 'dateOrder' | 'matched' | 'report'>,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE import_file SET date_order = $5, matched = $3, report = $4, file_content = coalesce(file_content, content), content = NULL,
            changed_at = clock_timestamp()
      WHERE id = $1 AND workshop_id = $2 AND state = 'checked' RETURNING true`,
    [id, workshopId, JSON.stringify(matched), JSON.stringify(report), dateOrder],
  );
  return rows.length > 0;
}

/** False: it was begun or dropped already. */
export async function beginFile(tx: Queryable, workshopId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE import_file SET state = 'importing', changed_at = clock_timestamp()
      WHERE id = $1 AND workshop_id = $2 AND state = 'checked' RETURNING true`,
    [id, workshopId],
  );
  return rows.length > 0;
}

export async function deleteFile(tx: Queryable, workshopId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    `DELETE FROM import_file WHERE id = $1 AND workshop_id = $2 AND state = 'checked' RETURNING true`,
    [id, workshopId],
  );
  return rows.length > 0;
}

/** Files being imported that no process has advanced for some seconds. */
export async function importingFiles(
  db: Queryable,
  job: string,
): Promise<{ readonly id: string; readonly workshopId: string }[]> {
  return db.query(
    planOnce(`SELECT id, workshop_id FROM import_file
      WHERE state = 'importing' AND changed_at < (SELECT clock_timestamp() - interval '5 seconds')
        AND ${notFailed(job, 'import_file.id')}
      ORDER BY id LIMIT 20`),
  );
}

/** The workshop of a file that is being imported; null: it is not being imported. */
export async function importingAt(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.query<{ workshopId: string }>(
    `SELECT workshop_id FROM import_file WHERE id = $1 AND state = 'importing'`,
    [id],
  );
  return row?.workshopId ?? null;
}

/** Records a set as done, in its commit; false: another process has done it, or the import was stopped. */
export async function advanceFile(
  tx: Queryable,
  { id, workshopId, taken }: Pick<ImportFile, 'id' | 'workshopId' | 'taken'>,
  to: { readonly taken: number; readonly counts: Counts },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE import_file SET taken = $4, counts = $5, changed_at = clock_timestamp()
      WHERE id = $1 AND workshop_id = $2 AND taken = $3 AND state = 'importing' RETURNING true`,
    [id, workshopId, taken, to.taken, JSON.stringify(to.counts)],
  );
  return rows.length > 0;
}

/** Ends the import and deletes the content; false: it has ended already, or was deleted. */
export async function endFile(
  tx: Queryable,
  workshopId: string,
  id: string,
  state: 'imported' | 'stopped',
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE import_file SET state = $3, content = NULL, file_content = NULL, changed_at = clock_timestamp()
      WHERE id = $1 AND workshop_id = $2 AND state = 'importing' RETURNING true`,
    [id, workshopId, state],
  );
  return rows.length > 0;
}

/**
 * Deletes the files of a workshop, since they may contain personal data; a running import is stopped. Of what was imported only counts
 * stay: it can still be taken back.
 */
export async function deleteFilesOf(tx: Queryable, workshopId: string): Promise<void> {
  const isOver = `state IN ('imported', 'stopped')`;
  await tx.query(`DELETE FROM import_file WHERE workshop_id = $1 AND NOT ${isOver}`, [workshopId]);
  await tx.query(
    `UPDATE import_file SET file_name = '',
            report = report || '{"ignored": [], "firstFaults": [], "questions": [], "notes": []}'
      WHERE workshop_id = $1 AND ${isOver}`,
    [workshopId],
  );
}

/** Deletes files that have waited for a person since before this time. */
export const deleteWaiting = (db: Queryable, before: Date): Promise<void> =>
  deleteInBatches(db, 'import_file', `state = 'checked' AND changed_at < $1`, [before]);

/** Deletes the results of imports that ended before this time. */
export const deleteEnded = (db: Queryable, before: Date): Promise<void> =>
  deleteInBatches(db, 'import_file', `state IN ('imported', 'stopped') AND changed_at < $1`, [before]);
