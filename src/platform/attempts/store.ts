/** SQL of attempts: failed, and in flight. By the machine clock. */
import type { Queryable } from '#platform/db/database.ts';
import { deleteInBatches } from '#platform/db/in-batches.ts';

export interface Attempt {
  /** Identifies the attempt, for giving it back. */
  stamp: string;
  /** Attempts within the window, this one included. */
  used: number;
  /** Milliseconds until the oldest of them leaves the window. */
  resetMs: number;
}

/** A source over which the failures of several sources are counted together. */
export interface Ceiling {
  source: Buffer;
  quota: number;
}

/** The source of an attempt, with its quota within the window. */
export interface Quotas {
  windowSeconds: number;
  source: Buffer;
  quota: number;
  ceilings: readonly Ceiling[];
  /** The quota of the source while one of the ceilings is reached; 0: no attempt is allowed. */
  quotaPastCeiling: number;
}

/** The ceilings, `$first` and the parameter after it, and whether one is reached within `$seconds`. */
const someCeilingReached = (first: number, seconds: number) => `EXISTS (
  SELECT FROM unnest($${first}::bytea[], $${first + 1}::int[]) AS ceiling (source, quota)
   WHERE (SELECT count(*) FROM attempt, unnest(attempts) at
           WHERE attempt.source = ceiling.source
             AND at > (SELECT clock_timestamp() - make_interval(secs => $${seconds}))) >= ceiling.quota)`;

const ceilingParameters = ({ ceilings }: Quotas) => [
  ceilings.map(({ source }) => source),
  ceilings.map(({ quota }) => quota),
];

/** Counts an attempt of the source; null when its quota is used up: the smaller one while a ceiling is reached. Machine clock. */
export async function takeAttempt(db: Queryable, quotas: Quotas): Promise<Attempt | null> {
  const [row] = await db.query<Attempt>(
    `WITH room AS (SELECT CASE WHEN ${someCeilingReached(3, 5)} THEN $6::int ELSE $2::int END AS quota)
     INSERT INTO attempt AS old (source, attempts, expires_at)
     SELECT $1, ARRAY[clock_timestamp()], clock_timestamp() + make_interval(secs => $5) FROM room WHERE room.quota > 0
     ON CONFLICT (source) DO UPDATE
       SET attempts = (SELECT coalesce(array_agg(at ORDER BY at), '{}') FROM unnest(old.attempts) at
                        WHERE at > clock_timestamp() - make_interval(secs => $5)) || clock_timestamp(),
           expires_at = excluded.expires_at
     WHERE (SELECT count(*) FROM unnest(old.attempts) at WHERE at > clock_timestamp() - make_interval(secs => $5))
           < (SELECT quota FROM room)
     RETURNING attempts[cardinality(attempts)]::text AS stamp, cardinality(attempts) AS used,
               extract(epoch FROM attempts[1] + make_interval(secs => $5) - clock_timestamp())::float8 * 1000 AS reset_ms`,
    [
      quotas.source,
      quotas.quota,
      ...ceilingParameters(quotas),
      quotas.windowSeconds,
      quotas.quotaPastCeiling,
    ],
  );
  return row ?? null;
}

/** Counts a failure against each ceiling; stores no more of them than its quota. Machine clock. */
export async function recordFailure(db: Queryable, quotas: Quotas): Promise<void> {
  await db.query(
    `WITH ceiling AS (SELECT * FROM unnest($1::bytea[], $2::int[]) AS c (source, quota))
     INSERT INTO attempt AS old (source, attempts, expires_at)
     SELECT source, ARRAY[clock_timestamp()], clock_timestamp() + make_interval(secs => $3) FROM ceiling ORDER BY source
     ON CONFLICT (source) DO UPDATE
       SET attempts = (SELECT array_agg(at ORDER BY at)
                         FROM (SELECT at FROM unnest(old.attempts || clock_timestamp()) at
                                WHERE at > clock_timestamp() - make_interval(secs => $3)
                                ORDER BY at DESC
                                LIMIT (SELECT quota FROM ceiling WHERE ceiling.source = excluded.source)) AS latest),
           expires_at = excluded.expires_at`,
    [...ceilingParameters(quotas), quotas.windowSeconds],
  );
}

/** Removes an attempt that did not fail. */
export async function returnAttempt(db: Queryable, source: Buffer, stamp: string): Promise<void> {
  await db.query(`UPDATE attempt SET attempts = array_remove(attempts, $2::timestamptz) WHERE source = $1`, [
    source,
    stamp,
  ]);
}

/** Milliseconds until the source's quota has room again, and its ceilings that are reached. */
export async function readResetMs(db: Queryable, quotas: Quotas): Promise<number> {
  const [row] = await db.query<{ resetMs: number | null }>(
    `WITH bound AS (
       SELECT $1::bytea AS source, CASE WHEN $6::int > 0 AND ${someCeilingReached(3, 5)} THEN $6::int ELSE $2::int END AS quota
        UNION ALL SELECT * FROM unnest($3::bytea[], $4::int[]))
     SELECT max(resets) AS reset_ms
       FROM (SELECT extract(epoch FROM min(at) + make_interval(secs => $5) - clock_timestamp())::float8 * 1000 AS resets
               FROM bound JOIN attempt USING (source), unnest(attempts) at
              WHERE at > (SELECT clock_timestamp() - make_interval(secs => $5))
              GROUP BY source, quota HAVING count(*) >= quota) AS full_ones`,
    [
      quotas.source,
      quotas.quota,
      ...ceilingParameters(quotas),
      quotas.windowSeconds,
      quotas.quotaPastCeiling,
    ],
  );
  return row?.resetMs ?? 0;
}

/** Deletes rows whose attempts have left the window. By the machine clock. */
export async function purgeAttempts(db: Queryable): Promise<void> {
  await deleteInBatches(db, 'attempt', 'expires_at < (SELECT clock_timestamp())');
}
