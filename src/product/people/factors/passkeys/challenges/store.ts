/**
 * SQL of the challenges that passkeys sign: one for each browser or session, valid for five minutes of the machine's clock, used
 * once.
 */
import type { Queryable } from '#platform/db/database.ts';

/** The browser, for a sign-in; or the session, for adding a passkey. */
export type Holder = { readonly browserSha256: Buffer } | { readonly sessionId: string };

const heldBy = (holder: Holder): string =>
  'sessionId' in holder
    ? `session ${holder.sessionId}`
    : `browser ${holder.browserSha256.toString('base64url')}`;

/** Replaces the holder's last one. */
export async function putChallenge(db: Queryable, holder: Holder, challenge: string): Promise<void> {
  await db.query(
    `INSERT INTO passkey_challenge (held_by, challenge, expires_at) VALUES ($1, $2, clock_timestamp() + interval '5 minutes')
     ON CONFLICT (held_by) DO UPDATE SET challenge = excluded.challenge, expires_at = excluded.expires_at`,
    [heldBy(holder), challenge],
  );
}

/** Uses it up, whatever the answer. Null: there is none, or it has expired. */
export async function takeChallenge(db: Queryable, holder: Holder): Promise<string | null> {
  const [row] = await db.query<{ challenge: string | null }>(
    `WITH taken AS (DELETE FROM passkey_challenge WHERE held_by = $1 RETURNING challenge, expires_at)
     SELECT challenge FROM taken WHERE expires_at > (SELECT clock_timestamp())`,
    [heldBy(holder)],
  );
  return row?.challenge ?? null;
}
