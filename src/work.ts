/** ALL BACKGROUND WORK ON ONE PAGE: each job and its handler, and what the clock sets off. */
import type { Context } from '#context.ts';
import { analyseYoungTables } from '#db/young-tables.ts';
import { purgeEvents } from '#events/purge.ts';
import { relayAgain } from '#events/relay-again.ts';
import { purgeKept } from '#idempotency/store.ts';
import { purgeSegments } from '#messaging/attempts/segments/purge.ts';
import { sweepStaleAttempts } from '#messaging/attempts/store.ts';
import { placeInbound } from '#messaging/inbound/unplaced/place.ts';
import { sendQueued } from '#messaging/queued/send.ts';
import { purgeRates } from '#messaging/rate/store.ts';
import { deliverAnswerNotice } from '#notifications/answers/deliver.ts';
import { tellOfAnswers } from '#notifications/answers/tell.ts';
import { deliverNotification } from '#notifications/deliver.ts';
import { purgeAttempts } from '#partners/sessions/attempts/store.ts';
import { purgeTokens } from '#partners/sessions/store.ts';
import { handOutReports } from '#sandbox/reports.ts';
import { trimSandbox } from '#sandbox/store.ts';
import { purgeDays } from '#sending/limits/store.ts';
import type { JobHandler } from '#work/job.ts';
import { buryExhaustedJobs } from '#work/store.ts';

export const jobs: Readonly<Record<string, JobHandler>> = {
  /** An event that became a dead letter, retried. */
  relay: relayAgain,
  deliverNotification,
  sendQueued,
  deliverAnswerNotice,
  /** An SMS that belonged nowhere, retried. */
  placeInbound,
};

export interface ScheduledWork {
  readonly name: string;
  readonly everyMs: number;
  /** Runs in each worker process, so it must do no harm when two run it at once. A failure is logged; it runs again. */
  readonly run: (ctx: Context) => Promise<unknown>;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const schedule: readonly ScheduledWork[] = [
  { name: 'buryExhaustedJobs', everyMs: minute, run: (ctx) => buryExhaustedJobs(ctx.db, ctx.clock.now()) },
  {
    name: 'sweepStaleAttempts',
    everyMs: 5 * second,
    run: (ctx) => sweepStaleAttempts(ctx.db, ctx.clock.now()),
  },
  { name: 'tellOfAnswers', everyMs: 5 * second, run: tellOfAnswers },
  { name: 'purgeAttempts', everyMs: minute, run: (ctx) => purgeAttempts(ctx.db) },
  { name: 'analyseYoungTables', everyMs: 2 * second, run: (ctx) => analyseYoungTables(ctx.db) },
  { name: 'purgeRates', everyMs: minute, run: (ctx) => purgeRates(ctx.db) },
  { name: 'handOutReports', everyMs: second, run: handOutReports },
  { name: 'trimSandbox', everyMs: minute, run: (ctx) => trimSandbox(ctx.db) },
  { name: 'purgeSegments', everyMs: 10 * minute, run: purgeSegments },
  { name: 'purgeEvents', everyMs: hour, run: purgeEvents },
  { name: 'purgeDays', everyMs: hour, run: (ctx) => purgeDays(ctx.db) },
  { name: 'purgeKept', everyMs: hour, run: (ctx) => purgeKept(ctx.db, ctx.clock.now()) },
  { name: 'purgeTokens', everyMs: hour, run: (ctx) => purgeTokens(ctx.db, ctx.clock.now()) },
];
