/** SQL of `secret_key`: one row, the fingerprints of the installation's key and of its former ones. */

import type { KeyFingerprints } from '#base/secret-key.ts';
import type { Queryable } from '#platform/db/database.ts';

const columns = 'fingerprint AS current, former';

/** Reads the key that the database names; null when it names none, or has no such table yet. */
export async function readNamedKey(db: Queryable): Promise<KeyFingerprints | null> {
  const [table] = await db.query<{ found: boolean }>(`SELECT to_regclass('secret_key') IS NOT NULL AS found`);
  if (!table?.found) return null;
  const [row] = await db.query<KeyFingerprints>(`SELECT ${columns} FROM secret_key`);
  return row ?? null;
}

/** Names the key unless one is named, and returns what is named then, locked until the transaction ends. */
export async function nameFirstKey(tx: Queryable, own: KeyFingerprints): Promise<KeyFingerprints> {
  await tx.query(
    'INSERT INTO secret_key (fingerprint, former) VALUES ($1, $2::text[]) ON CONFLICT DO NOTHING',
    [own.current, own.former],
  );
  const [row] = await tx.query<KeyFingerprints>(`SELECT ${columns} FROM secret_key FOR UPDATE`);
  if (row === undefined) throw new Error('secret_key has no row');
  return row;
}

/** Names the key, whatever was named before. */
export async function nameKey(db: Queryable, own: KeyFingerprints): Promise<void> {
  await db.query(
    `INSERT INTO secret_key (fingerprint, former) VALUES ($1, $2::text[])
     ON CONFLICT (only_row) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, former = EXCLUDED.former`,
    [own.current, own.former],
  );
}
