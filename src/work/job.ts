/** Jobs: what is queued, how a handler fails, and what becomes of a failure. `work.ts` lists them all. */
import type { Context } from '#context.ts';
import { addDeadLetter } from './dead-letters/store.ts';
import { Postponed } from './postponed.ts';
import type { JobSpec } from './spec.ts';
import { addJobs } from './store.ts';

/** Returns when the work is done, or when there is none left to do; it may run more than once. Throws to be run again; Postponed costs no attempt. */
export type JobHandler = (ctx: Context, payload: unknown) => Promise<void>;

/** The work failed for a reason that staff can read; it is run again, with backoff, up to its last attempt. */
export class JobFailure extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Running it again is pointless: it becomes a dead letter at once. */
export class PermanentFailure extends JobFailure {}

/**
 * The work is another worker's by now, or was settled meanwhile: a look again tells. A job that simply ended would end that
 * worker's too, since it may be the same one, and with it what is still to be tried.
 */
export function takenUp(): JobFailure {
  return new JobFailure('sending', 'Another worker took it up meanwhile.');
}

/** One text of a job's payload. Throws PermanentFailure when it is not there. */
export function payloadText(payload: unknown, name: string): string {
  const value = payload !== null && typeof payload === 'object' ? Reflect.get(payload, name) : undefined;
  if (typeof value !== 'string')
    throw new PermanentFailure('badPayload', `The job's payload has no ${name}.`);
  return value;
}

export interface JobAttempt {
  readonly job: string;
  readonly payload: unknown;
  /** 1 for the first. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** What it is marked with (`flags.ts`). */
  readonly flags?: readonly string[];
  /** Machine time. */
  readonly waitsSince?: Date;
}

/**
 * Runs a handler once. Work that was put back becomes a new job, and this one is done: when the process dies in between
 * there are two, of which the second finds nothing left to do. A permanent failure, or any failure at the last attempt, becomes a dead letter and the job is
 * done; any other failure is thrown on, so that the queue runs the job again.
 */
export async function runJob(ctx: Context, handler: JobHandler, work: JobAttempt): Promise<void> {
  const { job, payload, attempt, maxAttempts } = work;
  try {
    await handler(ctx, payload);
  } catch (error) {
    if (error instanceof Postponed) return putBack(ctx, work, error);
    const isLast = error instanceof PermanentFailure || attempt >= maxAttempts;
    ctx.log[isLast ? 'error' : 'warn'](
      { err: error, job, payload, attempt },
      isLast ? 'job gave up' : 'job failed, to be retried',
    );
    if (!isLast) throw error;
    await addDeadLetter(ctx.db, {
      job,
      payload: payload ?? {},
      reason: error instanceof JobFailure ? error.reason : 'error',
      detail: error instanceof Error ? error.message : String(error),
      attempts: attempt,
      flags: work.flags ?? [],
      at: ctx.clock.now(),
    });
  }
}

async function putBack(ctx: Context, work: JobAttempt, { delayMs, flags }: Postponed): Promise<void> {
  const { job, payload, attempt, maxAttempts, waitsSince } = work;
  ctx.log.debug({ job, payload, delayMs }, 'job put back');
  await addJobs(ctx.db, [
    {
      job,
      payload: payload as JobSpec['payload'],
      delayMs,
      // This one was none.
      maxAttempts: maxAttempts - attempt + 1,
      flags: flags ?? work.flags ?? [],
      ...(waitsSince && { waitsSince }),
    },
  ]);
}
