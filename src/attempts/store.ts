/** SQL of attempts: failed, and in flight. By the machine clock. */
import type { Queryable } from '#db/database.ts';

export interface Attempt {
  /** Identifies the attempt, for giving it back. */
  stamp: string;
  /** Attempts within the window, this one included. */
  used: number;
  /** Milliseconds until the oldest of them leaves the window. */
  resetMs: number;
}

/** The source of an attempt, with its quota and its ceiling within the window. */
export interface Quotas {
  windowSeconds: number;
  source: Buffer;
  quota: number;
  /** The source whose failures the ceiling counts; null for none. */
  ceiling: Buffer | null;
  ceilingQuota: number;
}

/** Counts an attempt of the source; null when its quota is used up, or the ceiling is reached. Machine clock. */
export async function takeAttempt(db: Queryable, quotas: Quotas): Promise<Attempt | null> {
  const [row] = await db.query<Attempt>(
    `INSERT INTO attempt AS old (source, attempts, expires_at)
     SELECT $1, ARRAY[clock_timestamp()], clock_timestamp() + make_interval(secs => $5)
      WHERE (SELECT count(*) FROM attempt, unnest(attempts) at
              WHERE source = $3 AND at > clock_timestamp() - make_interval(secs => $5)) < $4
     ON CONFLICT (source) DO UPDATE
       SET attempts = (SELECT coalesce(array_agg(at ORDER BY at), '{}') FROM unnest(old.attempts) at
                        WHERE at > clock_timestamp() - make_interval(secs => $5)) || clock_timestamp(),
           expires_at = excluded.expires_at
     WHERE (SELECT count(*) FROM unnest(old.attempts) at WHERE at > clock_timestamp() - make_interval(secs => $5)) < $2
     RETURNING attempts[cardinality(attempts)]::text AS stamp, cardinality(attempts) AS used,
               extract(epoch FROM attempts[1] + make_interval(secs => $5) - clock_timestamp())::float8 * 1000 AS "resetMs"`,
    [quotas.source, quotas.quota, quotas.ceiling, quotas.ceilingQuota, quotas.windowSeconds],
  );
  return row ?? null;
}

/** Counts a failure against the ceiling, which there must be; stores no more of them than its quota. Machine clock. */
export async function recordFailure(db: Queryable, quotas: Quotas): Promise<void> {
  await db.query(
    `INSERT INTO attempt AS old (source, attempts, expires_at)
     VALUES ($1, ARRAY[clock_timestamp()], clock_timestamp() + make_interval(secs => $3))
     ON CONFLICT (source) DO UPDATE
       SET attempts = (SELECT array_agg(at ORDER BY at)
                         FROM (SELECT at FROM unnest(old.attempts || clock_timestamp()) at
                                WHERE at > clock_timestamp() - make_interval(secs => $3)
                                ORDER BY at DESC LIMIT $2) AS latest),
           expires_at = excluded.expires_at`,
    [quotas.ceiling, quotas.ceilingQuota, quotas.windowSeconds],
  );
}

/** Removes an attempt that did not fail. */
export async function returnAttempt(db: Queryable, source: Buffer, stamp: string): Promise<void> {
  await db.query(`UPDATE attempt SET attempts = array_remove(attempts, $2::timestamptz) WHERE source = $1`, [
    source,
    stamp,
  ]);
}

/** Milliseconds until the source's quota and its ceiling have room again. */
export async function readResetMs(db: Queryable, quotas: Quotas): Promise<number> {
  const [row] = await db.query<{ resetMs: number | null }>(
    `SELECT max(resets) AS "resetMs"
       FROM (SELECT extract(epoch FROM min(at) + make_interval(secs => $5) - clock_timestamp())::float8 * 1000 AS resets
               FROM attempt, unnest(attempts) at
              WHERE source IN ($1, $3) AND at > clock_timestamp() - make_interval(secs => $5)
              GROUP BY source
             HAVING count(*) >= CASE WHEN source = $1 THEN $2::int ELSE $4::int END) AS full_ones`,
    [quotas.source, quotas.quota, quotas.ceiling, quotas.ceilingQuota, quotas.windowSeconds],
  );
  return row?.resetMs ?? 0;
}

/** Deletes rows whose attempts have left the window, or did not fail. By the machine clock. */
export async function purgeAttempts(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM attempt WHERE cardinality(attempts) = 0 OR expires_at < clock_timestamp()`);
}
