/** SQL of what imports have made and changed, while it can be taken back. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { notFailed } from '#platform/work/failed/store.ts';
import type { ImportKind } from '../../columns.ts';
import type { RunOfSet } from '../changes.ts';

/** `written`: it can be taken back; `stopped`: the operator gave that up. */
export type RunState = 'written' | 'takingBack' | 'takenBack' | 'stopped';

/** The counts of a take-back: records that went, stayed or were set back. */
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
  /** The rows of the file whose records are known. */
  readonly rows: number;
  /** Machine time. */
  readonly beganAt: Date;
  /** Business time of its last rows. */
  readonly writtenAt: Date;
  /** The author of the take-back, as stored. */
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

/** How far those of these imports are whose records were noted. */
export async function findRunStates(
  db: Queryable,
  workshopId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RunState>> {
  const rows = await db.query<Pick<ImportRun, 'id' | 'state'>>(
    'SELECT id, state FROM import_run WHERE id = ANY ($2::uuid[]) AND workshop_id = $1',
    [workshopId, ids],
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
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

/** Whether an import of the workshop is being taken back. */
export async function isTakingBack(db: Queryable, workshopId: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT true FROM import_run WHERE state = 'takingBack' AND workshop_id = $1 LIMIT 1`,
    [workshopId],
  );
  return rows.length > 0;
}

/** Notes how far it is: all records up to `last` have been judged. */
export async function advanceRun(
  tx: Queryable,
  id: string,
  last: { readonly kind: string; readonly recordId: string },
  counts: TakenBack,
): Promise<void> {
  await tx.query(
    `UPDATE import_run SET after_kind = $2, after_id = $3, counts = $4, changed_at = clock_timestamp() WHERE id = $1`,
    [id, last.kind, last.recordId, JSON.stringify(counts)],
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

export const deleteRuns = (db: Queryable, before: Date): Promise<void> =>
  deleteInBatches(db, 'import_run', `changed_at < $1 AND state <> 'takingBack'`, [before]);
