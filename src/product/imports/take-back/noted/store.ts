/** SQL of the records that imports have made and changed, while it can be taken back. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { lowestId } from '#platform/db/page-bounds.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import type { Change, ChangedKind } from '../changes.ts';
import type { ImportRun } from '../run/store.ts';

/** The changes of two sets of rows as one: of each field the earliest value before and the latest after. */
const bothFields = `(SELECT coalesce(jsonb_object_agg(key, CASE WHEN first.value IS NULL THEN next.value
         WHEN first.value -> 1 = next.value -> 0 THEN jsonb_build_array(first.value -> 0, next.value -> 1) ELSE first.value END), '{}')
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
    planByIndex(`UPDATE import_change c
        SET stays = j.stays, fields = NULL, kept_from = clock_timestamp() + interval '1 day' ${of}
      WHERE ${its} AND j.stays IS NOT NULL`),
    values,
  );
}

/** The record of another import of the workshop is as that left it again. */
export async function remark(
  tx: Queryable,
  workshopId: string,
  records: readonly (Pick<Change, 'kind' | 'recordId'> & { readonly from: string; readonly to: string })[],
): Promise<void> {
  if (records.length === 0) return;
  await tx.query(
    planByIndex(`UPDATE import_change c SET mark = r."to"
       FROM jsonb_to_recordset($2::jsonb) AS r (kind text, record_id uuid, "from" text, "to" text)
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

/** Lists the records that stayed, in the order of `changedKinds`; `after`: the last record of the previous page. */
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
    [...[workshopId, id, of.after?.kind ?? '', of.after?.recordId ?? lowestId], of.limit],
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

/**
 * Deletes what can't be taken back any more, since before this machine time: of an import that took long, its first records too are kept
 * from its last rows on. What stayed is kept a day longer.
 */
export const deleteChanges = (db: Queryable, before: Date): Promise<void> =>
  deleteInBatches(
    db,
    'import_change',
    `kept_from < $1
       AND NOT EXISTS (SELECT FROM import_run r WHERE r.id = import_change.import_id
         AND (r.state = 'takingBack' OR (r.state = 'written' AND r.changed_at >= $1)))`,
    [before],
  );
