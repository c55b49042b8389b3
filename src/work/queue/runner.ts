/** One run of graphile-worker's job runner, for as long as the database answers it. */
import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger, runTaskList, type TaskList } from 'graphile-worker';
import type { Context } from '#context.ts';
import { type JobHandler, runJob } from '../job.ts';
import { Postponed } from '../postponed.ts';
import { waitsSinceOf } from '../waits-since.ts';
import type { Admission } from './admission.ts';
import { followFetches } from './fetches.ts';

export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface Runner {
  /** What its jobs are locked by. */
  readonly id: string;
  /** Resolves when it takes no more jobs and none is under way. */
  readonly ended: Promise<void>;
  /** Takes no more jobs. */
  end(): void;
}

/** How often jobs are looked for, by all places together, when there are none; of new jobs they are notified at once. */
const pollMs = 50;
/** Of a job that there is no place for after all. */
const noPlaceMs = 1_000;
/** How often a runner that ends looks for jobs under way. */
const settleMs = 250;

/**
 * The runner goes without a local queue: that one ends the process when PostgreSQL restarts. Endings are batched, if
 * only by 0 ms, because one that fails outside a batch ends the process too.
 */
export function runnerOptions(ctx: Context, concurrentJobs: number) {
  return {
    schema: 'graphile_worker',
    pgPool: ctx.db.pool,
    noHandleSignals: true,
    logger: loggerOf(ctx),
    preset: {
      worker: {
        concurrentJobs,
        pollInterval: pollMs * concurrentJobs,
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  };
}

/** The handlers, as the runner calls them. Without an admission, any number of any kind. */
export function tasksOf(ctx: Context, handlers: JobHandlers, admission?: Admission): TaskList {
  const tasks: TaskList = {};
  for (const [name, handler] of Object.entries(handlers)) {
    tasks[name] = async (payload, { job }) => {
      const flags = Object.keys(job.flags ?? {});
      const leave = admission === undefined ? () => undefined : admission.begin(flags);
      const admitted: JobHandler = leave === null ? putBack : handler;
      try {
        await runJob(ctx, admitted, {
          job: name,
          payload,
          attempt: job.attempts,
          maxAttempts: job.max_attempts,
          flags,
          waitsSince: waitsSinceOf(job),
        });
      } finally {
        leave?.();
      }
    };
  }
  return tasks;
}

/** Of a kind that nobody knew of yet, or whose gateway has failed since it was looked for. */
function putBack(): Promise<never> {
  return Promise.reject(new Postponed(noPlaceMs * (1 + Math.random()), null));
}

/**
 * Starts a runner, with an admission of its own. It ends by itself when a job could not be taken, since the job may have
 * been locked and only the answer lost, and when the end of a job could not be written.
 */
export function startRunner(ctx: Context, handlers: JobHandlers, admission: Admission): Runner {
  const events = new EventEmitter();
  let underWay = 0;
  events.on('job:start', () => underWay++);
  events.on('job:complete', () => underWay--);
  const options = {
    ...runnerOptions(ctx, admission.places),
    events,
    forbiddenFlags: followFetches(events, admission, () => pool.nudge(1)),
  };
  const pool = runTaskList(options, tasksOf(ctx, handlers, admission), ctx.db.pool);
  const ended = pool.promise.catch((err) => ctx.log.warn({ err }, 'the job runner failed'));
  // After a failure its own promise may never settle: it counts too few endings under way, and waits for none.
  const idle = once(events, 'pool:gracefulShutdown').then(async () => {
    do await pause(settleMs);
    while (underWay > 0);
  });
  const end = () => {
    // Ending it twice, by itself and by us, is no error; a failure is told by the promise above.
    Promise.resolve(pool.gracefulShutdown()).catch(() => undefined);
  };
  // After a moment, in which the fetches of its other workers fail as well: fewer complaints.
  events.once('worker:getJob:error', () => setTimeout(end, settleMs));
  return { id: pool.id, ended: Promise.race([ended, idle]), end };
}

/** Failures of jobs are logged where they are run. */
function loggerOf({ log }: Context): Logger {
  return new Logger(() => (level, message, meta) => {
    if (meta?.['failure']) return;
    log[level === 'error' || level === 'warning' ? 'warn' : 'debug']({ part: 'job runner' }, message);
  });
}
