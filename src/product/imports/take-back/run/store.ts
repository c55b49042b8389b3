/** SQL of what imports have made and changed, while it can be taken back. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInSteps } from '#platform/db/in-steps.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { ImportKind } from '../../columns.ts';
import type { Change, ChangedKind, RunOfSet } from '../changes.ts';

/** `written`: it can be taken back; `stopped`: the operator gave that up. */
export type RunState = 'written' | 'takingBack' | 'takenBack' | 'stopped';

/** What was done with the records of an import. */
export interface TakenBack {
  readonly bookingsGone: number;
  readonly carsGone: number;
  readonly customersGone: number;
  /** Records that were there, and have lost what the file had filled in. */
  readonly setBack: number;
  /** Records that were left as they are. */
  readonly stayed: number;
}

export interface ImportRun {
  readonly id: string;
  readonly workshopId: string;
  readonly kind: ImportKind;
  readonly state: RunState;
  /** Of the file, whose records are known. */
  readonly rows: number;
  /** Machine time. */
  readonly beganAt: Date;
  /** Business time of its last rows. */
  readonly writtenAt: Date;
  /** Who takes it back, as stored. */
  readonly actor: string | null;
  readonly afterKind: string;
  readonly afterId: string;
  readonly counts: TakenBack | null;
  /** Machine time. */
  readonly changedAt: Date;
}

const columns =
  'id, workshop_id, kind, state, rows, began_at, written_at, actor, after_kind, after_id, counts, changed_at';

/** Notes that these rows of the file are written, in their commit; false: it is being taken back. */
export async function noteRun(
  tx: Queryable,
  { importId, workshopId, kind, rows, at }: RunOfSet & { readonly rows: number; readonly at: Date },
): Promise<boolean> {
  const noted = await tx.query(
    `INSERT INTO import_run (id, workshop_id, kind, state, rows, began_at, written_at)
     VALUES ($1, $2, $3, 'written', $4, clock_timestamp(), $5)
     ON CONFLICT (id) DO UPDATE SET rows = import_run.rows + excluded.rows, written_at = excluded.written_at, changed_at = clock_timestamp()
       WHERE import_run.state = 'written' AND import_run.workshop_id = excluded.workshop_id
     RETURNING true`,
    [importId, workshopId, kind, rows, at],
  );
  return noted.length > 0;
}

/** Of what two sets of rows have changed, the earliest value before and the latest after. */
const bothFields = `(SELECT jsonb_object_agg(key, CASE WHEN first.value IS NULL THEN next.value
         WHEN first.value -> 1 = next.value -> 0 THEN jsonb_build_array(first.value -> 0, next.value -> 1) ELSE first.value END)
    FROM jsonb_each(import_change.fields) AS first FULL JOIN jsonb_each(excluded.fields) AS next USING (key))`;
const noteText =
  planByIndex(`INSERT INTO import_change (import_id, kind, record_id, is_made, mark, mark_before, fields)
  SELECT $1, kind, record_id, is_made, mark, mark_before, fields
    FROM jsonb_to_recordset($2::jsonb)
      AS c (kind text, record_id uuid, is_made boolean, mark text, mark_before text, fields jsonb) ORDER BY kind, record_id
  ON CONFLICT (import_id, kind, record_id) DO UPDATE SET
    -- Changed by others between two sets of rows, a record is no more as the import left it.
    mark = CASE WHEN import_change.mark = excluded.mark_before THEN excluded.mark ELSE import_change.mark END,
    fields = CASE WHEN import_change.is_made THEN NULL ELSE ${bothFields} END`);

/** In the commit of what was changed. */
export async function noteChanges(
  tx: Queryable,
  importId: string,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length > 0) await tx.query(noteText, [importId, recordset(changes)]);
}

export async function findRun(db: Queryable, workshopId: string, id: string): Promise<ImportRun | null> {
  const [run] = await db.query<ImportRun>(
    `SELECT ${columns} FROM import_run WHERE id = $1 AND workshop_id = $2`,
    [id, workshopId],
  );
  return run ?? null;
}

/** Locks it until the transaction ends. */
export async function lockRun(tx: Queryable, workshopId: string, id: string): Promise<ImportRun | null> {
  const [run] = await tx.query<ImportRun>(
    `SELECT ${columns} FROM import_run WHERE id = $1 AND workshop_id = $2 FOR NO KEY UPDATE`,
    [id, workshopId],
  );
  return run ?? null;
}

/** Newest first. */
export async function listRuns(db: Queryable, workshopId: string, limit: number): Promise<ImportRun[]> {
  return db.query<ImportRun>(
    `SELECT ${columns} FROM import_run WHERE workshop_id = $1 ORDER BY id DESC LIMIT $2`,
    [workshopId, limit],
  );
}

/** Begins to take it back; the row is locked. */
export async function beginTakingBack(tx: Queryable, id: string, actor: string): Promise<void> {
  await tx.query(
    `UPDATE import_run SET state = 'takingBack', actor = $2, changed_at = clock_timestamp() WHERE id = $1`,
    [id, actor],
  );
}

/** Those being taken back that no process has advanced for some seconds. */
export async function takenBackNow(
  db: Queryable,
  job: string,
): Promise<{ readonly id: string; readonly workshopId: string }[]> {
  return db.query(
    `SELECT id, workshop_id FROM import_run
      WHERE state = 'takingBack' AND changed_at < (SELECT clock_timestamp() - interval '5 seconds')
        AND ${notFailed(job, 'import_run.id')}
      ORDER BY id LIMIT 20`,
  );
}

/** The workshop of an import that is being taken back; null: it is not. */
export async function takingBackAt(db: Queryable, id: string): Promise<string | null> {
  const [row] = await db.query<{ workshopId: string }>(
    `SELECT workshop_id FROM import_run WHERE id = $1 AND state = 'takingBack'`,
    [id],
  );
  return row?.workshopId ?? null;
}

/** The next records to be judged, in the order of `changedKinds`. */
export async function nextChanges(tx: Queryable, run: ImportRun, limit: number): Promise<Change[]> {
  return tx.query<Change>(
    `SELECT kind, record_id, is_made, mark, mark_before, fields FROM import_change
      WHERE import_id = $1 AND (kind, record_id) > ($2, $3::uuid) ORDER BY kind, record_id LIMIT $4`,
    [run.id, run.afterKind, run.afterId, limit],
  );
}

export interface Judged {
  readonly kind: ChangedKind;
  readonly recordId: string;
  /** Why it stays; null: it has gone, or was set back. */
  readonly stays: string | null;
}

/** A list of what stays can be read for a day; of the rest nothing is kept. */
export async function noteJudged(
  tx: Queryable,
  run: Pick<ImportRun, 'id'>,
  judged: readonly Judged[],
  counts: TakenBack,
): Promise<void> {
  const values = [run.id, recordset(judged)];
  const of = `FROM jsonb_to_recordset($2::jsonb) AS j (kind text, record_id uuid, stays text)`;
  const its = `c.import_id = $1 AND c.kind = j.kind AND c.record_id = j.record_id`;
  await tx.query(
    planByIndex(`DELETE FROM import_change c USING jsonb_to_recordset($2::jsonb) AS j (kind text, record_id uuid, stays text)
      WHERE ${its} AND j.stays IS NULL`),
    values,
  );
  await tx.query(
    planByIndex(`UPDATE import_change c SET stays = j.stays, fields = NULL, kept_from = clock_timestamp() + interval '1 day' ${of}
      WHERE ${its} AND j.stays IS NOT NULL`),
    values,
  );
  const last = judged.at(-1);
  await tx.query(
    `UPDATE import_run SET after_kind = coalesce($2, after_kind), after_id = coalesce($3::uuid, after_id), counts = $4, changed_at = clock_timestamp()
      WHERE id = $1`,
    [run.id, last?.kind ?? null, last?.recordId ?? null, JSON.stringify(counts)],
  );
}

/** Ends it. */
export async function endTakingBack(
  tx: Queryable,
  id: string,
  state: 'takenBack' | 'stopped',
): Promise<void> {
  await tx.query(`UPDATE import_run SET state = $2, changed_at = clock_timestamp() WHERE id = $1`, [
    id,
    state,
  ]);
}

/** The record of another import of the workshop is as that left it again. */
export async function remark(
  tx: Queryable,
  workshopId: string,
  records: readonly (Pick<Change, 'kind' | 'recordId'> & { readonly from: string; readonly to: string })[],
): Promise<void> {
  if (records.length === 0) return;
  await tx.query(
    planByIndex(`UPDATE import_change c SET mark = r."to" FROM jsonb_to_recordset($2::jsonb) AS r (kind text, record_id uuid, "from" text, "to" text)
      WHERE c.import_id = ANY (ARRAY(SELECT id FROM import_run WHERE workshop_id = $1 AND state = 'written' ORDER BY id DESC LIMIT 100))
        AND c.kind = r.kind AND c.record_id = r.record_id AND c.mark = r."from"`),
    [workshopId, recordset(records)],
  );
}

export interface Stayed {
  readonly kind: ChangedKind;
  readonly recordId: string;
  readonly stays: string;
  /** Null: it is there no more. */
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly rego: string | null;
  readonly code: string | null;
}

/** What stayed, in the order of `changedKinds`; `after`: the last record of the page before. */
export async function listStayed(
  db: Queryable,
  workshopId: string,
  id: string,
  of: { readonly after: Pick<Stayed, 'kind' | 'recordId'> | null; readonly limit: number },
): Promise<Stayed[]> {
  return db.query<Stayed>(
    planByIndex(`SELECT c.kind, c.record_id, c.stays, k.id AS customer_id, k.name AS customer_name, car.rego, b.code
       FROM import_change c JOIN import_run r ON r.id = c.import_id AND r.workshop_id = $1
       LEFT JOIN booking b ON c.kind = 'booking' AND b.id = c.record_id AND b.workshop_id = $1
       LEFT JOIN car ON car.id = CASE c.kind WHEN 'booking' THEN b.car_id WHEN 'car' THEN c.record_id END AND car.workshop_id = $1
       LEFT JOIN customer k ON k.workshop_id = $1
         AND k.id = CASE c.kind WHEN 'booking' THEN b.customer_id WHEN 'car' THEN car.customer_id ELSE c.record_id END
      WHERE c.import_id = $2 AND c.stays IS NOT NULL AND (c.kind, c.record_id) > ($3, $4::uuid)
      ORDER BY c.kind, c.record_id LIMIT $5`),
    [
      ...[workshopId, id, of.after?.kind ?? '', of.after?.recordId ?? '00000000-0000-0000-0000-000000000000'],
      of.limit,
    ],
  );
}

/** Clears what the imports of a workshop have filled in these customers and their cars: they are erased. */
export async function forgetChanges(
  tx: Queryable,
  workshopId: string,
  customerIds: readonly string[],
): Promise<void> {
  await tx.query(
    planByIndex(`UPDATE import_change SET fields = NULL
      WHERE import_id = ANY (ARRAY(SELECT id FROM import_run WHERE workshop_id = $1))
        AND kind IN ('car', 'customer') AND fields IS NOT NULL
        AND record_id = ANY ($2::uuid[] || ARRAY(SELECT id FROM car WHERE customer_id = ANY ($2::uuid[])))`),
    [workshopId, customerIds],
  );
}

/** Deletes what can't be taken back any more, since before this machine time; what stayed is kept a day longer. */
export const deleteChanges = (db: Queryable, before: Date): Promise<void> =>
  deleteInSteps(
    db,
    'import_change',
    `kept_from < $1
       AND NOT EXISTS (SELECT FROM import_run r WHERE r.id = import_change.import_id AND r.state = 'takingBack')`,
    [before],
  );

export const deleteRuns = (db: Queryable, before: Date): Promise<void> =>
  deleteInSteps(db, 'import_run', `changed_at < $1 AND state <> 'takingBack'`, [before]);
