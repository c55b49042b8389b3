/** SQL of jobs that send: how many wait for which gateways, parking them out of the way, and giving them other gateways. */
import type { Queryable } from '#db/database.ts';
import { waitsSinceSql } from '../store.ts';

/** Jobs are queued with 0; the queue takes what is due in the order of priority, then time. */
const parked = 1;
/** Parked jobs that nobody takes back become due by themselves. */
const parkedForMinutes = 10;

export interface WaitingSends {
  /** What they go through: a flag of `flags.ts`. */
  readonly passage: string;
  /** All that wait, are due to be tried again, or are under way. */
  readonly count: number;
  /** Of these: due now, and not taken yet. */
  readonly due: number;
  readonly parked: number;
  /** Since the oldest was first queued; machine clock. */
  readonly oldestSeconds: number;
}

/** One pass over the jobs that are not done: a table that is small but for a backlog. */
export async function waitingSends(db: Queryable): Promise<WaitingSends[]> {
  return db.query<WaitingSends>(
    `WITH alike AS (
       SELECT flags, count(*) AS count, min(${waitsSinceSql}) AS since,
         count(*) FILTER (WHERE priority < ${parked} AND locked_at IS NULL AND run_at <= clock_timestamp()) AS due,
         count(*) FILTER (WHERE priority = ${parked}) AS parked
       FROM graphile_worker.jobs WHERE flags IS NOT NULL AND attempts < max_attempts GROUP BY flags
     )
     SELECT passage, sum(count)::int AS count, sum(due)::int AS due, sum(parked)::int AS parked,
       greatest(0, extract(epoch FROM clock_timestamp() - min(since)))::float8 AS "oldestSeconds"
     FROM alike, jsonb_object_keys(flags) AS passage
     WHERE passage IN ('email', 'sms') OR passage LIKE 'sms:%'
     GROUP BY passage ORDER BY passage`,
  );
}

/** In one statement: of more, the rest a moment later. */
const parkedAtOnce = 10_000;

/** Parks due jobs with this flag, but for the `keep` oldest. Returns how many. */
export async function park(db: Queryable, flag: string, keep: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM graphile_worker.reschedule_jobs(ARRAY(
       SELECT id FROM graphile_worker.jobs
       WHERE flags ? $1 AND priority < ${parked} AND locked_at IS NULL AND run_at <= clock_timestamp()
       ORDER BY run_at, id OFFSET $2 LIMIT ${parkedAtOnce}
     ), priority := ${parked}, run_at := clock_timestamp() + interval '${parkedForMinutes} minutes')`,
    [flag, keep],
  );
  return row?.count ?? 0;
}

/** Takes up to `atMost` parked jobs with this flag back, the oldest first, before those that came later. Returns how many. */
export async function takeBack(db: Queryable, flag: string, atMost: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM graphile_worker.reschedule_jobs(ARRAY(
       SELECT id FROM graphile_worker.jobs WHERE flags ? $1 AND priority = ${parked} AND locked_at IS NULL
       ORDER BY id LIMIT $2
     ), priority := 0, run_at := clock_timestamp() - interval '${parkedForMinutes} minutes')`,
    [flag, atMost],
  );
  return row?.count ?? 0;
}
