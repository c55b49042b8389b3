/** ALL BACKGROUND WORK ON ONE PAGE: each job and its handler, and what the clock sets off. */
import type { Context } from '#context.ts';
import { purgeEvents } from '#events/purge.ts';
import { relayAgain } from '#events/relay-again.ts';
import { deliverNotification } from '#notifications/deliver.ts';
import type { JobHandler } from '#work/job.ts';
import { buryExhaustedJobs } from '#work/store.ts';

export const jobs: Readonly<Record<string, JobHandler>> = {
  /** An event that became a dead letter, retried. */
  relay: relayAgain,
  deliverNotification,
};

export interface ScheduledWork {
  readonly name: string;
  readonly everyMs: number;
  /** Runs in each worker process, so it must do no harm when two run it at once. A failure is logged; it runs again. */
  readonly run: (ctx: Context) => Promise<unknown>;
}

const minute = 60_000;
const hour = 60 * minute;

export const schedule: readonly ScheduledWork[] = [
  { name: 'buryExhaustedJobs', everyMs: minute, run: (ctx) => buryExhaustedJobs(ctx.db, ctx.clock.now()) },
  { name: 'purgeEvents', everyMs: hour, run: purgeEvents },
];
