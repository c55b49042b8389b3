/**
 * The loop that takes jobs and runs them, many at once. graphile-worker brings tables, functions and migrations; its
 * runner (0.18) is left out, because a PostgreSQL that restarts ends the whole process there (an unhandled rejection
 * of its local queue), because jobs whose fetch lost its answer stay locked for hours, and because a stop under load
 * fails the jobs under way.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '#context.ts';
import { newId } from '#values/id.ts';
import { type JobHandler, runJob } from '../job.ts';
import { beat, forgetWorker } from '../store.ts';
import { type FailedJob, failJobs, returnStrayJobs, type TakenJob, takeJobs } from './store.ts';

/** Most jobs wait for a gateway and hold no connection meanwhile. */
const jobsAtOnce = 24;
/** Jobs taken ahead, so that one round trip takes and ends many: half as many jobs a second without it. */
const ahead = 24;
const pollMs = 500;
/** Lets jobs that end together be ended, and others be taken, in one round trip. */
const gatherMs = 2;
const afterFailureMs = 1_000;
/** Jobs under way get this long at a stop; then they are given back, and run again elsewhere. */
const stopMs = 7_000;

export interface Queue {
  /** What this process's jobs are locked by. */
  readonly workerId: string;
  /** A job was added. */
  nudge(): void;
  /** Within ten seconds; before the database is closed. */
  stop(): Promise<void>;
}

/** Starts taking jobs. Rejects when the database is not there or lacks the tables. */
export async function startQueue(
  ctx: Context,
  handlers: Readonly<Record<string, JobHandler>>,
): Promise<Queue> {
  const { db, log } = ctx;
  const workerId = `worker-${newId()}`;
  const names = Object.keys(handlers);
  let waiting: TakenJob[] = [];
  const running = new Map<string, Promise<void>>();
  let done: string[] = [];
  let failed: FailedJob[] = [];
  let stopping = false;
  let isTakeInDoubt = false;
  let isNudged = false;
  let wake: () => void = () => undefined;

  function nudge(): void {
    isNudged = true;
    wake();
  }

  function startNext(): void {
    while (!stopping && running.size < jobsAtOnce) {
      const job = waiting.shift();
      if (job === undefined) break;
      running.set(job.id, run(job));
    }
  }

  async function run(job: TakenJob): Promise<void> {
    try {
      const handler = handlers[job.job];
      if (handler === undefined) throw new Error(`there is no handler for ${job.job}`);
      await runJob(ctx, handler, job);
      done.push(job.id);
    } catch (error) {
      failed.push({ id: job.id, message: error instanceof Error ? error.message : String(error) });
    }
    running.delete(job.id);
    startNext();
    if (waiting.length < ahead / 2) nudge();
  }

  function heldIds(): string[] {
    return [...waiting.map((job) => job.id), ...running.keys(), ...done, ...failed.map((job) => job.id)];
  }

  /** Ends what has ended, takes more, and returns how many. What could not be written is kept for the next time. */
  async function turn(limit: number): Promise<number> {
    if (isTakeInDoubt) await returnStrayJobs(db, workerId, heldIds());
    isTakeInDoubt = false;
    const [doneNow, failedNow] = [done, failed];
    [done, failed] = [[], []];
    try {
      await failJobs(db, workerId, failedNow);
      isTakeInDoubt = limit > 0;
      const taken = await takeJobs(db, { workerId, names, limit, done: doneNow });
      isTakeInDoubt = false;
      waiting.push(...taken);
      startNext();
      return taken.length;
    } catch (error) {
      done.push(...doneNow);
      failed.push(...failedNow);
      throw error;
    }
  }

  async function waitForNews(): Promise<void> {
    if (!isNudged) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    if (!stopping) await pause(gatherMs);
  }

  async function work(): Promise<void> {
    while (!stopping) {
      isNudged = false;
      try {
        await turn(jobsAtOnce + ahead - running.size - waiting.length);
      } catch (err) {
        log.error({ err }, 'the job queue failed and will try again');
        if (!stopping) await pause(afterFailureMs);
      }
      if (!stopping) await waitForNews();
    }
  }

  await beat(db, workerId);
  await turn(0);
  const loop = work();

  return {
    workerId,
    nudge,
    async stop() {
      stopping = true;
      wake();
      await loop;
      waiting = [];
      const allRun = Promise.all(running.values()).then(() => undefined);
      await Promise.race([allRun, pause(stopMs, undefined, { ref: false })]);
      try {
        await returnStrayJobs(db, workerId, heldIds());
        await turn(0);
        await failJobs(
          db,
          workerId,
          [...running.keys()].map((id) => ({ id, message: 'The worker stopped.' })),
        );
        await forgetWorker(db, workerId);
      } catch (err) {
        log.warn({ err }, 'the worker could not sign off; its jobs are free when its silence is noticed');
      }
    },
  };
}
