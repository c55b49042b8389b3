/** SQL of forms that were sent with the cookie of an ended session: one for each session, by the machine's clock. */
import type { Queryable } from '#platform/db/database.ts';

/** Replaces an earlier one. */
export async function putKeptForm(db: Queryable, sessionId: string, sealed: string): Promise<void> {
  await db.query(
    `INSERT INTO kept_form (session_id, sealed, expires_at) VALUES ($1, $2, clock_timestamp() + interval '10 minutes')
     ON CONFLICT (session_id) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at`,
    [sessionId, sealed],
  );
}

interface Of {
  readonly sessionId: string;
  readonly personId: string;
}

/** Moves it to the next session of the same person; a form of another person is deleted. True when there is one now. */
export async function moveKeptForm(tx: Queryable, from: Of, to: Of): Promise<boolean> {
  if (from.personId !== to.personId) {
    await tx.query('DELETE FROM kept_form WHERE session_id = $1', [from.sessionId]);
    return false;
  }
  const rows = await tx.query(
    `UPDATE kept_form SET session_id = $2 WHERE session_id = $1 AND expires_at > (SELECT clock_timestamp()) RETURNING true`,
    [from.sessionId, to.sessionId],
  );
  return rows.length > 0;
}

export async function findKeptForm(db: Queryable, sessionId: string): Promise<string | null> {
  const [row] = await db.query<{ sealed: string }>(
    'SELECT sealed FROM kept_form WHERE session_id = $1 AND expires_at > (SELECT clock_timestamp())',
    [sessionId],
  );
  return row?.sealed ?? null;
}

export async function deleteKeptForm(db: Queryable, sessionId: string): Promise<void> {
  await db.query('DELETE FROM kept_form WHERE session_id = $1', [sessionId]);
}
