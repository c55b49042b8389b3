/** SQL of sign-ins and their tokens. Hashes are SHA-256 of the token; times are the business clock's unless stated otherwise. */
import type { Database, Queryable } from '#platform/db/database.ts';
import { gather } from '#platform/db/gather.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';
import type { RowValues } from '#platform/db/parameters.ts';
import { runAll } from '#platform/db/run-all.ts';

export interface TokenHolder {
  partnerId: string;
  /** The app key of the token's sign-in. */
  appKey: string;
  partnerActive: boolean;
  isDemo: boolean;
  revoked: boolean;
  expiresAt: Date;
}

export interface TokenLookUp extends Partial<TokenHolder> {
  /** Whether the partner of the X-Partner-ID header exists. */
  headerKnown: boolean;
}

const tokenColumns = { hash: 'bytea', partnerId: 'uuid null' } as const;

const findTokens = gather<RowValues<typeof tokenColumns>, TokenLookUp>({
  columns: tokenColumns,
  build: ({ input }) => `WITH ${input}
    SELECT input.ordinal, EXISTS (SELECT FROM partner WHERE id = input.partner_id) AS header_known, t.*
      FROM input
      LEFT JOIN LATERAL (SELECT p.id AS partner_id, s.app_key_id AS app_key, p.status = 'active' AS partner_active, p.is_demo,
                                s.revoked_at IS NOT NULL AS revoked, a.expires_at
                           FROM access_token a
                           JOIN sign_in s ON s.id = a.sign_in_id
                           JOIN partner p ON p.id = s.partner_id
                          WHERE a.hash = input.hash LIMIT 1) t ON true`,
  partnerOf: ({ partnerId }) => partnerId ?? '',
});

/** The token's sign-in and partner, if it is known, and whether the partner of the header exists. */
export async function lookUpToken(
  db: Database,
  hash: Buffer,
  partnerId: string | null,
): Promise<TokenLookUp> {
  const found = await findTokens(db, { hash: `\\x${hash.toString('hex')}`, partnerId });
  return found ?? { headerKnown: false };
}

export interface KeyHolder {
  secretHash: string | null;
  partnerActive: boolean;
  isDemo: boolean;
}

/** The partner, with the stored secret of its app key if it has that key; null for an unknown partner. */
export async function findAppKey(
  db: Queryable,
  partnerId: string,
  appKey: string,
): Promise<KeyHolder | null> {
  const [row] = await db.query<KeyHolder>(
    `SELECT k.secret_hash, p.status = 'active' AS partner_active, p.is_demo
       FROM partner p LEFT JOIN app_key k ON k.partner_id = p.id AND k.id = $2
      WHERE p.id = $1`,
    [partnerId, appKey],
  );
  return row ?? null;
}

export interface NewPair {
  signInId: string;
  accessHash: Buffer;
  accessExpiresAt: Date;
  refreshHash: Buffer;
  refreshExpiresAt: Date;
}

/** Starts a sign-in with its first pair; false when the app key has been deleted. */
export async function insertSignIn(
  db: Queryable,
  signIn: NewPair & { partnerId: string; appKey: string; now: Date },
): Promise<boolean> {
  const rows = await db.query(
    `WITH key AS (SELECT id FROM app_key WHERE id = $3 AND partner_id = $2),
          started AS (INSERT INTO sign_in (id, partner_id, app_key_id, created_at)
                      SELECT $1, $2, id, $4 FROM key RETURNING id),
          access AS (INSERT INTO access_token (hash, sign_in_id, number, expires_at) SELECT $5, id, 1, $6 FROM started)
     INSERT INTO refresh_token (hash, sign_in_id, expires_at) SELECT $7, id, $8 FROM started RETURNING true`,
    [
      signIn.signInId,
      signIn.partnerId,
      signIn.appKey,
      signIn.now,
      signIn.accessHash,
      signIn.accessExpiresAt,
      signIn.refreshHash,
      signIn.refreshExpiresAt,
    ],
  );
  return rows.length > 0;
}

/** Locks the sign-in of the refresh token; null when the partner has no such token. */
export async function lockSignIn(
  tx: Queryable,
  refreshHash: Buffer,
  partnerId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `SELECT s.id FROM refresh_token r JOIN sign_in s ON s.id = r.sign_in_id
      WHERE r.hash = $1 AND s.partner_id = $2 FOR UPDATE OF s`,
    [refreshHash, partnerId],
  );
  return row?.id ?? null;
}

export interface PresentedPair {
  partnerActive: boolean;
  isDemo: boolean;
  revoked: boolean;
  refreshExpiresAt: Date;
  refreshExchanged: boolean;
  accessExchanged: boolean;
  accessIsNewest: boolean;
  /** When this pair was first exchanged, and how many more times since. */
  firstExchangedAt: Date | null;
  repeats: number;
}

/** The presented pair, read under the lock; null when the access token belongs to another sign-in. */
export async function readPair(
  tx: Queryable,
  signInId: string,
  accessHash: Buffer,
  refreshHash: Buffer,
): Promise<PresentedPair | null> {
  const [row] = await tx.query<PresentedPair>(
    `SELECT p.status = 'active' AS partner_active, p.is_demo, s.revoked_at IS NOT NULL AS revoked,
            r.expires_at AS refresh_expires_at, r.exchanged_at IS NOT NULL AS refresh_exchanged,
            a.exchanged_at IS NOT NULL AS access_exchanged,
            a.number = (SELECT max(number) FROM access_token WHERE sign_in_id = s.id) AS access_is_newest,
            x.first_at AS first_exchanged_at, coalesce(x.repeats, 0) AS repeats
       FROM sign_in s
       JOIN partner p ON p.id = s.partner_id
       JOIN refresh_token r ON r.sign_in_id = s.id AND r.hash = $3
       JOIN access_token a ON a.sign_in_id = s.id AND a.hash = $2
       LEFT JOIN token_exchange x ON x.access_hash = a.hash AND x.refresh_hash = r.hash
      WHERE s.id = $1`,
    [signInId, accessHash, refreshHash],
  );
  return row ?? null;
}

/** Adds a new pair to the sign-in and records which pair was exchanged for it. */
export async function exchangePair(
  tx: Queryable,
  pair: NewPair & { oldAccessHash: Buffer; oldRefreshHash: Buffer; now: Date },
): Promise<void> {
  await tx.query(
    `WITH access AS (INSERT INTO access_token (hash, sign_in_id, number, expires_at)
                     SELECT $2, $1, max(number) + 1, $3 FROM access_token WHERE sign_in_id = $1),
          refresh AS (INSERT INTO refresh_token (hash, sign_in_id, expires_at) VALUES ($4, $1, $5)),
          old_access AS (UPDATE access_token SET exchanged_at = coalesce(exchanged_at, $8) WHERE hash = $6),
          old_refresh AS (UPDATE refresh_token SET exchanged_at = coalesce(exchanged_at, $8) WHERE hash = $7)
     INSERT INTO token_exchange (access_hash, refresh_hash, first_at) VALUES ($6, $7, $8)
     ON CONFLICT (access_hash, refresh_hash) DO UPDATE SET repeats = token_exchange.repeats + 1`,
    [
      pair.signInId,
      pair.accessHash,
      pair.accessExpiresAt,
      pair.refreshHash,
      pair.refreshExpiresAt,
      pair.oldAccessHash,
      pair.oldRefreshHash,
      pair.now,
    ],
  );
}

export async function revokeSignIn(tx: Queryable, signInId: string, now: Date): Promise<void> {
  await tx.query(`UPDATE sign_in SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL`, [signInId, now]);
}

/** After business time was set back: caps the expiry of tokens at these times, and the times of exchanges at `now`. */
export async function shortenTokens(
  tx: Queryable,
  { now, accessAtMost, refreshAtMost }: { now: Date; accessAtMost: Date; refreshAtMost: Date },
): Promise<void> {
  await tx.query('UPDATE access_token SET expires_at = $1 WHERE expires_at > $1', [accessAtMost]);
  await tx.query('UPDATE refresh_token SET expires_at = $1 WHERE expires_at > $1', [refreshAtMost]);
  await tx.query('UPDATE token_exchange SET first_at = $1 WHERE first_at > $1', [now]);
}

/**
 * Deletes expired data (business time): expired refresh tokens, sign-ins without any other, and access tokens so old that no valid
 * refresh token was issued with them.
 */
export async function purgeTokens(db: Queryable, now: Date): Promise<void> {
  await runAll([
    () => deleteInBatches(db, 'refresh_token', 'expires_at <= $1', [now]),
    () =>
      db.query(
        `DELETE FROM sign_in s WHERE NOT EXISTS (SELECT FROM refresh_token r WHERE r.sign_in_id = s.id)`,
      ),
    () =>
      db.query(
        `DELETE FROM access_token a WHERE a.expires_at < $1::timestamptz - interval '30 days'
        AND a.number < (SELECT max(number) FROM access_token WHERE sign_in_id = a.sign_in_id)`,
        [now],
      ),
  ]);
}
