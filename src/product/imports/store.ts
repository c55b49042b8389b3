/** SQL of the identities of imported rows: each is imported once. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInSteps } from '#platform/db/in-steps.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';

const findText = planByIndex(`SELECT encode(row_sha256, 'hex') AS identity FROM import_row
  WHERE workshop_id = $1 AND row_sha256 = ANY (ARRAY(SELECT decode(unnest($2::text[]), 'hex')))`);

/** Those of these identities, SHA-256 in hex, that the workshop has imported. */
export async function findImported(
  db: Queryable,
  workshopId: string,
  identities: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ identity: string }>(findText, [workshopId, identities]);
  return new Set(rows.map(({ identity }) => identity));
}

export interface ImportedRow {
  readonly identity: string;
  /** The booking, else the customer. */
  readonly recordId: string;
}

const noteText = `INSERT INTO import_row (workshop_id, row_sha256, record_id, imported_at, import_id)
  SELECT $1, decode(identity, 'hex'), record_id, clock_timestamp(), $3
    FROM jsonb_to_recordset($2::jsonb) AS r (identity text, record_id uuid)`;

export async function noteImported(
  tx: Queryable,
  { workshopId, importId }: { readonly workshopId: string; readonly importId: string },
  rows: readonly ImportedRow[],
): Promise<void> {
  await tx.query(noteText, [workshopId, recordset(rows), importId]);
}

/** Deletes identities from before this time of the machine's clock: those rows could be imported again. */
export function deleteImported(db: Queryable, before: Date): Promise<void> {
  return deleteInSteps(db, 'import_row', 'imported_at < $1', [before]);
}
