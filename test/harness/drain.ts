/** Does all background work there is, in this process, and returns when none is left: no loop, no waiting. */
import { runOnce } from 'graphile-worker';
import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import { relayBatch } from '#events/batch.ts';
import type { Reactions } from '#events/reaction.ts';
import { reactions as allReactions } from '#reactions.ts';
import { runnerOptions, tasksOf } from '#work/queue/runner.ts';
import { jobs } from '#work.ts';

const roundsAtMost = 500;
const jobsAtOnce = 4;

export interface DrainOptions {
  /** Runs jobs that wait for a retry too, up to their last attempt. Without it they stay queued. */
  readonly retries?: boolean;
  /** Instead of those of `reactions.ts`. */
  readonly reactions?: Reactions;
}

/** Relays all events and runs all jobs that are due. */
export async function drain(ctx: Context, options: DrainOptions = {}): Promise<void> {
  const { retries = false, reactions = allReactions } = options;
  for (let round = 0; round < roundsAtMost; round++) {
    const relayed = await relayBatch(ctx, reactions);
    if (retries) await makeDue(ctx.db);
    await runOnce(runnerOptions(ctx, jobsAtOnce), tasksOf(ctx, jobs));
    if (relayed === 0 && !(await isWorkLeft(ctx.db, retries))) return;
  }
  throw new Error(`background work was not done after ${roundsAtMost} rounds`);
}

async function makeDue(db: Queryable): Promise<void> {
  await db.query(
    `SELECT count(*) FROM graphile_worker.reschedule_jobs(
       ARRAY(SELECT id FROM graphile_worker.jobs
             WHERE run_at > clock_timestamp() AND locked_at IS NULL AND attempts < max_attempts),
       run_at := clock_timestamp())`,
  );
}

async function isWorkLeft(db: Queryable, retries: boolean): Promise<boolean> {
  const [left] = await db.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM event WHERE relayed_at IS NULL) OR EXISTS (
       SELECT FROM graphile_worker.jobs
       WHERE attempts < max_attempts AND ($1::boolean OR run_at <= clock_timestamp())) AS found`,
    [retries],
  );
  return left?.found ?? false;
}
