/** SQL of failed work: pieces that have thrown, by job and subject. Each is retried alone, apart from all others. */
import type { Queryable } from '#platform/db/database.ts';
import { newIdSql } from '#platform/db/new-id.ts';
import { planOnce } from '#platform/db/plan-modes.ts';

/** SQL: whether the subject `id` has not failed in this job. Sets that are worked off together leave out those that have. */
export const notFailed = (job: string, id: string) =>
  `NOT EXISTS (SELECT FROM failed_work f WHERE f.job = '${job}' AND f.subject_id = ${id})`;

export interface Failure {
  readonly job: string;
  readonly subjectId: string;
  /** False: a transient error of the database, which does not count as a try. */
  readonly isItsOwn: boolean;
  /** After each failure until the next try; the last for all further ones. */
  readonly pausesMs: readonly number[];
  /** After this many tries it is given up, with a dead letter of this payload. */
  readonly triesAtMost: number;
  readonly payload: object;
  /** For the dead letter. */
  readonly detail: string;
  /** Business time. */
  readonly now: Date;
}

/** Notes a failure; true when the work is given up by it. */
export async function noteFailure(db: Queryable, failure: Failure): Promise<boolean> {
  const { job, subjectId, isItsOwn, pausesMs, triesAtMost, payload, detail, now } = failure;
  const [row] = await db.query<{ isGivenUp: boolean }>(
    `WITH noted AS (
       INSERT INTO failed_work AS f (job, subject_id, tries, deferrals, due_at)
       VALUES ($1, $2, CASE WHEN $3 THEN 1 ELSE 0 END, CASE WHEN $3 THEN 0 ELSE 1 END,
               CASE WHEN $3 AND $5 <= 1 THEN 'infinity' ELSE clock_timestamp() + ($4::float8[])[1] * interval '1 millisecond' END)
       ON CONFLICT (job, subject_id) DO UPDATE
         SET tries = f.tries + excluded.tries, deferrals = least(f.deferrals + excluded.deferrals, 1000),
             due_at = CASE WHEN f.tries + excluded.tries >= $5 THEN 'infinity'
               ELSE clock_timestamp()
                 + ($4::float8[])[least(f.tries + f.deferrals + 1, cardinality($4::float8[]))] * interval '1 millisecond' END
       RETURNING tries),
     -- After the last try it waits for the operator.
     given_up AS (
       INSERT INTO dead_letter (id, job, payload, reason, detail, attempts, created_at)
       SELECT ${newIdSql}, $1, $6::jsonb, 'error', $7, tries, $8 FROM noted WHERE tries >= $5
       ON CONFLICT (job, payload) DO UPDATE
         SET reason = excluded.reason, detail = excluded.detail, attempts = excluded.attempts, created_at = excluded.created_at)
     SELECT tries >= $5 AS is_given_up FROM noted`,
    [job, subjectId, isItsOwn, pausesMs, triesAtMost, JSON.stringify(payload), detail, now],
  );
  return row?.isGivenUp ?? false;
}

export interface DueFailure {
  readonly job: string;
  readonly subjectId: string;
}

/** Takes the one of these jobs that has been due for the longest, for a lease; null: none is due. */
export async function takeDueFailure(
  db: Queryable,
  jobs: readonly string[],
  leaseSeconds: number,
): Promise<DueFailure | null> {
  const [row] = await db.query<DueFailure>(
    planOnce(`UPDATE failed_work f SET due_at = clock_timestamp() + make_interval(secs => $2)
       FROM (SELECT job, subject_id FROM failed_work WHERE due_at <= (SELECT clock_timestamp()) AND job = ANY ($1::text[])
              ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS due
      WHERE (f.job, f.subject_id) = (due.job, due.subject_id)
     RETURNING f.job, f.subject_id`),
    [jobs, leaseSeconds],
  );
  return row ?? null;
}

/** It is tried again at once, with all its tries before it; false when it has not failed. */
export async function startOver(tx: Queryable, job: string, subjectId: string): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE failed_work SET tries = 0, deferrals = 0, due_at = clock_timestamp() WHERE job = $1 AND subject_id = $2 RETURNING true`,
    [job, subjectId],
  );
  return rows.length > 0;
}

/** Deletes the record of a failure: the piece is done, or is worked off with the others again. */
export async function forgetFailure(db: Queryable, job: string, subjectId: string): Promise<void> {
  await db.query('DELETE FROM failed_work WHERE job = $1 AND subject_id = $2', [job, subjectId]);
}
