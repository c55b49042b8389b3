/** How far the business clock was moved forward: one row, the same for every process. */
import type { Queryable } from './database.ts';
import { planOnce } from './plan-modes.ts';

/** Seconds. */
export async function readAdvance(db: Queryable): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    planOnce('SELECT advance_seconds::float8 AS seconds FROM business_clock'),
  );
  return row?.seconds ?? 0;
}

/** Resets the offset to 0; returns what it was, in seconds. */
export async function resetAdvance(db: Queryable): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    `WITH before AS (SELECT advance_seconds FROM business_clock FOR UPDATE)
     UPDATE business_clock SET advance_seconds = 0 FROM before RETURNING before.advance_seconds::float8 AS seconds`,
  );
  return row?.seconds ?? 0;
}

/** Moves the clock forward and returns the new offset in seconds; null when that would pass `atMost`. */
export async function advance(db: Queryable, seconds: number, atMost: number): Promise<number | null> {
  const [row] = await db.query<{ seconds: number }>(
    `UPDATE business_clock SET advance_seconds = advance_seconds + $1
      WHERE advance_seconds + $1 <= $2 RETURNING advance_seconds::float8 AS seconds`,
    [seconds, atMost],
  );
  return row?.seconds ?? null;
}
