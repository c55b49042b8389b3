/** SQL of passkeys, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';

export interface ShownPasskey {
  readonly passkeyId: string;
  readonly credentialId: string;
  readonly name: string;
  /** The host that it was created for. */
  readonly host: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** For each person. */
export const passkeysAtMost = 10;

/** Oldest first. */
export async function listPasskeys(db: Queryable, personId: string): Promise<ShownPasskey[]> {
  return db.query<ShownPasskey>(
    `SELECT id AS passkey_id, credential_id, name, host, created_at, used_at
       FROM passkey WHERE person_id = $1 ORDER BY id LIMIT ${passkeysAtMost}`,
    [personId],
  );
}

export interface NewPasskey {
  readonly id: string;
  readonly personId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly host: string;
  readonly name: string;
  readonly vouchedBy: string | null;
}

/** The person is locked. False: somebody has this passkey already, or the person has the maximum number. */
export async function insertPasskey(tx: Queryable, passkey: NewPasskey): Promise<boolean> {
  const { id, personId, credentialId, publicKey, counter, transports, host, name, vouchedBy } = passkey;
  const rows = await tx.query(
    `INSERT INTO passkey (id, person_id, credential_id, public_key, counter, transports, host, name, vouched_by, created_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp()
      WHERE (SELECT count(*) FROM passkey WHERE person_id = $2) < ${passkeysAtMost}
     ON CONFLICT (credential_id) DO NOTHING RETURNING true`,
    [id, personId, credentialId, publicKey, counter, transports, host, name, vouchedBy],
  );
  return rows.length > 0;
}

export interface Passkey {
  readonly id: string;
  readonly personId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly vouchedBy: string | null;
}

export async function findPasskey(db: Queryable, credentialId: string): Promise<Passkey | null> {
  const [row] = await db.query<Passkey>(
    `SELECT id, person_id, public_key, counter::float8 AS counter, vouched_by FROM passkey WHERE credential_id = $1`,
    [credentialId],
  );
  return row ?? null;
}

/** Stores the counter of a signature; false: the passkey was deleted, or its counter did not rise, so it may have been copied. */
export async function usePasskey(tx: Queryable, id: string, counter: number): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE passkey SET counter = $2, used_at = clock_timestamp()
      WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING true`,
    [id, counter],
  );
  return rows.length > 0;
}

/** The number of passkeys created for other hosts; browsers use them only there. */
export async function countPasskeysElsewhere(db: Queryable, host: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM passkey WHERE host <> $1',
    [host],
  );
  return row?.count ?? 0;
}

/** False: the person has no such passkey. */
export async function deletePasskey(tx: Queryable, personId: string, passkeyId: string): Promise<boolean> {
  const rows = await tx.query('DELETE FROM passkey WHERE person_id = $1 AND id = $2 RETURNING true', [
    personId,
    passkeyId,
  ]);
  return rows.length > 0;
}
