/** SQL of authenticator apps, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';
import { afterId } from '#platform/db/page-bounds.ts';
import { notFailed } from '#platform/work/failed/store.ts';

export interface Totp {
  /** base32, sealed for its person. */
  readonly seedSealed: string;
  /** The workshop whose owner vouched for the session in which it was set up. */
  readonly vouchedBy: string | null;
  readonly createdAt: Date;
  /** Null: only the set-up has used it. */
  readonly usedAt: Date | null;
}

export async function findTotp(db: Queryable, personId: string): Promise<Totp | null> {
  const [row] = await db.query<Totp>(
    'SELECT seed_sealed, vouched_by, created_at, used_at FROM totp WHERE person_id = $1',
    [personId],
  );
  return row ?? null;
}

export interface NewTotp {
  readonly personId: string;
  readonly seedSealed: string;
  /** The step of the code that confirmed it. */
  readonly step: number;
  readonly vouchedBy: string | null;
}

/** Replaces the previous one. */
export async function putTotp(
  tx: Queryable,
  { personId, seedSealed, step, vouchedBy }: NewTotp,
): Promise<void> {
  await tx.query(
    `INSERT INTO totp (person_id, seed_sealed, last_step, vouched_by, created_at) VALUES ($1, $2, $3, $4, clock_timestamp())
     ON CONFLICT (person_id) DO UPDATE
       SET seed_sealed = excluded.seed_sealed, last_step = excluded.last_step, vouched_by = excluded.vouched_by,
           created_at = excluded.created_at, used_at = NULL`,
    [personId, seedSealed, step, vouchedBy],
  );
}

/** Uses up the step and all earlier ones; false: it was used already, or the seed has changed. */
export async function useStep(
  tx: Queryable,
  { personId, seedSealed, step }: Omit<NewTotp, 'vouchedBy'>,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE totp SET last_step = $3, used_at = clock_timestamp()
      WHERE person_id = $1 AND seed_sealed = $2 AND last_step < $3 RETURNING true`,
    [personId, seedSealed, step],
  );
  return rows.length > 0;
}

export async function deleteTotp(tx: Queryable, personId: string): Promise<boolean> {
  const rows = await tx.query('DELETE FROM totp WHERE person_id = $1 RETURNING true', [personId]);
  return rows.length > 0;
}

export interface SealedSeed {
  readonly personId: string;
  readonly sealed: string;
}

/** The seed of one person; or up to `limit` seeds, by person, that have not failed in this job. */
export type WhichSeeds =
  | { readonly personId: string }
  | { readonly after: string | null; readonly limit: number; readonly job: string };

export function listSeeds(db: Queryable, which: WhichSeeds): Promise<SealedSeed[]> {
  if ('personId' in which)
    return db.query<SealedSeed>('SELECT person_id, seed_sealed AS sealed FROM totp WHERE person_id = $1', [
      which.personId,
    ]);
  const { after, limit, job } = which;
  return db.query<SealedSeed>(
    `SELECT person_id, seed_sealed AS sealed FROM totp
      WHERE ${afterId('person_id', '$1')} AND ${notFailed(job, 'totp.person_id')} ORDER BY person_id LIMIT $2`,
    [after, limit],
  );
}

/** False: the seed has changed. */
export async function replaceSeed(
  db: Queryable,
  { personId, from, to }: { readonly personId: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  const rows = await db.query(
    'UPDATE totp SET seed_sealed = $3 WHERE person_id = $1 AND seed_sealed = $2 RETURNING true',
    [personId, from, to],
  );
  return rows.length > 0;
}
