/** SQL of the identities of imported rows: each is imported once. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import { recordset } from '#platform/db/parameters.ts';
import { planByIndex } from '#platform/db/plan-modes.ts';
import type { ImportedCustomer } from '#product/customers/imported/store.ts';

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

/** A row with a number, whose customer may have been imported without it. */
export interface Sought {
  /** SHA-256 in hex: what tells the person. */
  readonly person: string;
  /** E.164. */
  readonly phone: string;
}

export interface WithoutPhone
  extends Pick<ImportedCustomer, 'name' | 'email' | 'company' | 'address' | 'suburb' | 'postcode'> {
  readonly person: string;
  readonly customerId: string;
  /** The registrations of their cars; null: a car without one. */
  readonly regos: readonly (string | null)[];
}

const withoutPhoneText = planByIndex(`SELECT s.person, customer.id AS customer_id,
    customer.name, customer.email, customer.company, customer.address, customer.suburb, customer.postcode,
    ARRAY(SELECT rego FROM car WHERE car.customer_id = customer.id AND car.workshop_id = $1) AS regos
  FROM jsonb_to_recordset($2::jsonb) AS s (person text, phone text)
  JOIN import_row ON import_row.workshop_id = $1 AND import_row.row_sha256 = decode(s.person, 'hex')
  JOIN customer ON customer.id = import_row.record_id AND customer.workshop_id = $1
 WHERE customer.phone IS NULL AND customer.merged_into IS NULL AND customer.erased_at IS NULL
   AND NOT EXISTS (SELECT FROM customer known WHERE known.phone = s.phone AND known.workshop_id = $1)`);

/** Customers whom the workshop imported from a file without numbers; not of a row whose number is known already. */
export async function findWithoutPhone(
  db: Queryable,
  workshopId: string,
  sought: readonly Sought[],
): Promise<ReadonlyMap<string, WithoutPhone>> {
  if (sought.length === 0) return new Map();
  const rows = await db.query<WithoutPhone>(withoutPhoneText, [workshopId, recordset(sought)]);
  return new Map(rows.map((row) => [row.person, row]));
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
  return deleteInBatches(db, 'import_row', 'imported_at < $1', [before]);
}
