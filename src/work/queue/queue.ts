/**
 * The job queue of a process: graphile-worker's runner, and another one whenever the database failed the last. What was
 * measured, and why it is so: docs/decisions/0001-job-runner.md.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '#context.ts';
import { repeat } from '../repeat.ts';
import { forgetWorker, workBacklog } from '../store.ts';
import { createAdmission } from './admission.ts';
import { parkBacklogs } from './parking.ts';
import { type JobHandlers, startRunner } from './runner.ts';

const afterFailureMs = 1_000;
const parkEveryMs = 2_000;
/** Jobs under way get this long at a stop, as a hand-over may take ten seconds; then they are given back, and run again elsewhere. */
const stopMs = 12_000;

export interface Queue {
  /** What this process's jobs are locked by; another one after the database has failed. */
  readonly workerId: string;
  /** Within 15 seconds; before the database is closed. */
  stop(): Promise<void>;
}

/** Starts running jobs. Rejects when the database is not there or lacks the tables. */
export async function startQueue(ctx: Context, handlers: JobHandlers): Promise<Queue> {
  const { db, log } = ctx;
  // The runner itself would wait for a database that is away.
  await workBacklog(db);
  let stopping = false;
  const start = () => {
    const admission = createAdmission(ctx);
    return { admission, ...startRunner(ctx, handlers, admission) };
  };
  let runner = start();
  const parking = repeat(
    parkEveryMs,
    () => parkBacklogs(ctx, runner.admission),
    (err) => log.warn({ err }, 'backlogs could not be parked'),
  );
  const running = keepRunning();

  async function keepRunning(): Promise<void> {
    for (;;) {
      await runner.ended;
      while (!stopping && !(await signOff())) await pause(afterFailureMs);
      if (stopping) return;
      runner = start();
      log.warn('the job runner was replaced after a failure of the database');
    }
  }

  /** Frees what the runner holds, also what it does not know of. False when the database is away. */
  async function signOff(): Promise<boolean> {
    try {
      await forgetWorker(db, runner.id);
      return true;
    } catch (err) {
      log.warn({ err }, 'the job runner could not sign off');
      return false;
    }
  }

  return {
    get workerId() {
      return runner.id;
    },
    async stop() {
      stopping = true;
      runner.end();
      await Promise.race([Promise.all([running, parking.stop()]), pause(stopMs, undefined, { ref: false })]);
      await signOff();
    },
  };
}
