/** Takes the indexes of tables away while many rows are written, and makes them again as they were. */
import type pg from 'pg';

interface Taken {
  readonly drop: string;
  readonly make: string;
}

/** All but those that a foreign key needs; constraints among them. */
const takenText = `
  SELECT CASE WHEN c.oid IS NULL THEN 'DROP INDEX ' || i.indexrelid::regclass
              ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END AS drop,
         CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
              ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) END AS make
    FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
   WHERE i.indrelid = ANY ($1::text[]::regclass[])
     AND NOT EXISTS (SELECT FROM pg_constraint f WHERE f.contype = 'f' AND f.conindid = i.indexrelid)
   ORDER BY i.indexrelid`;

/** Resolves to what makes them again: one statement each. */
export async function takeIndexes(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<Taken>(takenText, [tables]);
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ make }) => make);
}
