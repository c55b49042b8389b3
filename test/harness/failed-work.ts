/** Work that has failed, for tests. */
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { schedule } from '#work.ts';

export interface FailedRow {
  readonly job: string;
  readonly subjectId: string;
  readonly tries: number;
  readonly deferrals: number;
  readonly isGivenUp: boolean;
}

/** What has failed, or what of it has this subject. */
export function failedWork(db: Queryable, subjectId: string | null = null): Promise<FailedRow[]> {
  return db.query<FailedRow>(
    `SELECT job, subject_id, tries, deferrals, due_at = 'infinity' AS is_given_up FROM failed_work
      WHERE subject_id = coalesce($1, subject_id) ORDER BY job, subject_id`,
    [subjectId],
  );
}

/** Makes all of it due that is not given up, and has it tried once more; returns how many it was. */
export async function tryFailedAgain(ctx: Context): Promise<number> {
  const rows = await ctx.db.query(
    `UPDATE failed_work SET due_at = clock_timestamp() WHERE due_at < 'infinity' RETURNING true`,
  );
  if (rows.length > 0) await schedule.find(({ name }) => name === 'retryFailedWork')?.run(ctx);
  return rows.length;
}
