/** SQL of background work: adding jobs, what waits, and the workers that are alive. */

import type { Queryable } from '#db/database.ts';
import { newIdSql } from '#db/new-id.ts';
import type { LaneState } from '#gateways/lane/lane.ts';
import { defaultMaxAttempts, type JobSpec } from './spec.ts';

/**
 * A key for work that was put back: the queue gives the new job a new `created_at`, and the key keeps when it was first
 * queued. No two are alike, since a key is also what the queue replaces jobs by.
 */
function sinceKey(since: string): string {
  return `'since:' || extract(epoch FROM ${since}) || ':' || ${newIdSql}`;
}

/** Since when a job of the view has waited. */
export const waitsSinceSql = `CASE WHEN key LIKE 'since:%' THEN to_timestamp(split_part(key, ':', 2)::float8) ELSE created_at END`;

/** Adds jobs in the caller's transaction; they can run from its commit on. */
export async function addJobs(tx: Queryable, jobs: readonly JobSpec[]): Promise<void> {
  if (jobs.length === 0) return;
  await tx.query(
    `SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
       SELECT ROW(spec.job, spec.payload, NULL,
         coalesce(spec."runAt", clock_timestamp() + spec."delayMs" * interval '1 millisecond'),
         coalesce(spec."maxAttempts", $2), ${sinceKey('spec."waitsSince"')}, NULL, spec.flags)::graphile_worker.job_spec
       FROM json_to_recordset($1::json) AS spec (job text, payload json, "runAt" timestamptz, "delayMs" float8,
         "maxAttempts" smallint, flags text[], "waitsSince" timestamptz)))`,
    [JSON.stringify(jobs), defaultMaxAttempts],
  );
}

export interface WorkBacklog {
  readonly eventsWaiting: number;
  /** Seconds since the oldest waiting event was made; 0 when none waits. */
  readonly oldestEventSeconds: number;
  /** Jobs that are queued, being run, or due to be run again. */
  readonly jobsWaiting: number;
  readonly deadLetters: number;
}

/** What has not been done yet, for the status command and the metrics. */
export async function workBacklog(db: Queryable): Promise<WorkBacklog> {
  const [backlog] = await db.query<WorkBacklog>(
    // The first 48 bits of an event's id are the machine's time at which it was made, in milliseconds.
    `SELECT
       (SELECT count(*)::int FROM event WHERE relayed_at IS NULL) AS "eventsWaiting",
       coalesce((
         SELECT greatest(0, extract(epoch FROM clock_timestamp())
           - ('x' || replace(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
         FROM event WHERE relayed_at IS NULL ORDER BY id LIMIT 1
       ), 0)::float8 AS "oldestEventSeconds",
       (SELECT count(*)::int FROM graphile_worker.jobs WHERE attempts < max_attempts) AS "jobsWaiting",
       (SELECT count(*)::int FROM dead_letter) AS "deadLetters"`,
  );
  return backlog ?? { eventsWaiting: 0, oldestEventSeconds: 0, jobsWaiting: 0, deadLetters: 0 };
}

/** Says that the worker lives, and what it sees of its gateways; `id` is what the queue locks its jobs by. */
export async function beat(db: Queryable, id: string, gateways: readonly LaneState[] = []): Promise<void> {
  await db.query(
    `INSERT INTO worker (id, started_at, seen_at, gateways) VALUES ($1, clock_timestamp(), clock_timestamp(), $2)
     ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp(), gateways = excluded.gateways`,
    [id, JSON.stringify(gateways)],
  );
}

export interface GatewayWorkers {
  readonly gateway: string;
  readonly breaker: string;
  readonly workers: number;
}

/** How many workers that are alive see each gateway work, or not, by their latest beat. */
export async function gatewayWorkers(db: Queryable): Promise<GatewayWorkers[]> {
  return db.query<GatewayWorkers>(
    `SELECT seen.gateway, seen.breaker, count(*)::int AS workers
     FROM worker, jsonb_to_recordset(gateways) AS seen (gateway text, breaker text)
     WHERE seen_at > clock_timestamp() - interval '30 seconds' GROUP BY 1, 2`,
  );
}

/** Forgets a worker that has stopped and frees whatever it still holds. */
export async function forgetWorker(db: Queryable, id: string): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM worker WHERE id = $1)
     SELECT graphile_worker.force_unlock_workers(ARRAY[$1])`,
    [id],
  );
}

/**
 * Frees the jobs of workers that were silent for longer than `silentMs`, also of those that died before they were
 * first heard of, and forgets them. Returns their ids.
 */
export async function forgetDeadWorkers(db: Queryable, silentMs: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `WITH silent AS (
       DELETE FROM worker WHERE seen_at < clock_timestamp() - make_interval(secs => $1) RETURNING id
     ), unknown AS (
       SELECT DISTINCT jobs.locked_by FROM graphile_worker.jobs AS jobs
       WHERE jobs.locked_at < clock_timestamp() - make_interval(secs => $1)
         AND NOT EXISTS (SELECT FROM worker WHERE worker.id = jobs.locked_by)
     ), dead AS (
       SELECT id FROM silent UNION SELECT locked_by FROM unknown
     )
     SELECT id, graphile_worker.force_unlock_workers(ARRAY[id]) FROM dead`,
    [silentMs / 1000],
  );
  return rows.map((row) => row.id);
}

/**
 * Turns jobs that used up their attempts without a letter (their worker died at each) into dead letters, up to 500 at
 * a time. `at` is business time. Returns how many.
 */
export async function buryExhaustedJobs(db: Queryable, at: Date): Promise<number> {
  const rows = await db.query(
    `WITH spent AS MATERIALIZED (
       SELECT id, task_identifier FROM graphile_worker.jobs WHERE attempts >= max_attempts AND locked_at IS NULL LIMIT 500
     ), gone AS (
       SELECT * FROM graphile_worker.complete_jobs(ARRAY(SELECT id FROM spent))
     )
     INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, flags, created_at)
     SELECT DISTINCT ON (spent.task_identifier, gone.payload::jsonb)
       ${newIdSql}, spent.task_identifier, gone.payload::jsonb, 'workerDied',
       coalesce(gone.last_error, 'The worker died while it ran this job.'), gone.attempts,
       ARRAY(SELECT jsonb_object_keys(gone.flags)), $1::timestamptz
     FROM gone JOIN spent ON spent.id = gone.id
     ON CONFLICT (job, payload) DO NOTHING
     RETURNING id`,
    [at],
  );
  return rows.length;
}

/**
 * Marks the waiting SMS jobs that carry one flag with others, and the dead letters: `flags` is all that they carry from now
 * on. Jobs under way mark themselves when they are put back. Returns how many jobs.
 */
export async function remarkSmsJobs(tx: Queryable, flag: string, flags: readonly string[]): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `WITH its AS MATERIALIZED (
       SELECT id, task_identifier, ${waitsSinceSql} AS since FROM graphile_worker.jobs
       WHERE flags ? $1 AND NOT flags ? 'email' AND locked_at IS NULL AND attempts < max_attempts
     ), gone AS MATERIALIZED (
       SELECT * FROM graphile_worker.complete_jobs(ARRAY(SELECT id FROM its))
     ), letters AS (
       UPDATE dead_letter SET flags = $2 WHERE $1 = ANY(flags) AND NOT 'email' = ANY(flags)
     )
     SELECT count(*)::int AS count FROM graphile_worker.add_jobs(ARRAY(
       SELECT ROW(its.task_identifier, gone.payload, NULL, CASE WHEN gone.priority = 0 THEN gone.run_at END,
         gone.max_attempts - gone.attempts, ${sinceKey('its.since')}, NULL, $2::text[])::graphile_worker.job_spec
       FROM gone JOIN its ON its.id = gone.id ORDER BY gone.id))`,
    [flag, flags],
  );
  return row?.count ?? 0;
}
