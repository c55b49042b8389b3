/**
 * SQL of taking jobs and of ending them, on graphile-worker's tables (its version is pinned; the tests of this folder
 * tell when the tables change). Its own runner is not used: `queue.ts` says why.
 */
import type { Queryable } from '#db/database.ts';

export interface TakenJob {
  readonly id: string;
  readonly job: string;
  readonly payload: unknown;
  /** 1 for the first. */
  readonly attempt: number;
  readonly maxAttempts: number;
}

export interface Take {
  readonly workerId: string;
  /** The names that this process has handlers for. */
  readonly names: readonly string[];
  readonly limit: number;
  /** Jobs that are done: deleted in the same round trip. */
  readonly done: readonly string[];
}

/** Deletes what is done and takes what is due, the longest due first. Taken jobs are this worker's until it ends them. */
export async function takeJobs(db: Queryable, take: Take): Promise<TakenJob[]> {
  return db.query<TakenJob>(
    `WITH done AS (
       DELETE FROM graphile_worker._private_jobs WHERE id = ANY($4::bigint[])
     ), due AS MATERIALIZED (
       SELECT id FROM graphile_worker._private_jobs
       WHERE is_available AND run_at <= clock_timestamp() AND job_queue_id IS NULL
         AND task_id = ANY(ARRAY(SELECT id FROM graphile_worker._private_tasks WHERE identifier = ANY($2::text[])))
       ORDER BY priority, run_at LIMIT $3 FOR UPDATE SKIP LOCKED
     )
     UPDATE graphile_worker._private_jobs AS jobs
     SET attempts = attempts + 1, locked_by = $1, locked_at = clock_timestamp()
     FROM due, graphile_worker._private_tasks AS tasks
     WHERE jobs.id = due.id AND tasks.id = jobs.task_id
     RETURNING jobs.id, tasks.identifier AS job, jobs.payload, jobs.attempts AS attempt, jobs.max_attempts AS "maxAttempts"`,
    [take.workerId, take.names, take.limit, take.done],
  );
}

export interface FailedJob {
  readonly id: string;
  readonly message: string;
}

/** Gives failed jobs back, to be run again after e to the power of their attempts, in seconds (six hours at most). */
export async function failJobs(db: Queryable, workerId: string, failed: readonly FailedJob[]): Promise<void> {
  if (failed.length === 0) return;
  await db.query(
    `UPDATE graphile_worker._private_jobs AS jobs
     SET last_error = failed.message, locked_by = NULL, locked_at = NULL,
       run_at = greatest(clock_timestamp(), run_at) + exp(least(attempts, 10)) * interval '1 second'
     FROM json_to_recordset($2::json) AS failed (id bigint, message text)
     WHERE jobs.id = failed.id AND locked_by = $1`,
    [workerId, JSON.stringify(failed)],
  );
}

/** Gives back, untouched, what is locked for this worker although it does not hold it: the answer of a take was lost. */
export async function returnStrayJobs(
  db: Queryable,
  workerId: string,
  held: readonly string[],
): Promise<void> {
  await db.query(
    `UPDATE graphile_worker._private_jobs
     SET locked_by = NULL, locked_at = NULL, attempts = greatest(0, attempts - 1)
     WHERE locked_by = $1 AND id <> ALL($2::bigint[])`,
    [workerId, held],
  );
}
