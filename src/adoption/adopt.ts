/**
 * Adopts what the previous release has left, and what its processes still write while they are replaced one by one: jobs, notices
 * and dead letters become messages. Runs every few seconds in any number of processes; to be deleted with the tables of that
 * release.
 */

import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import { releaseEvent } from '#events/store.ts';
import { noWorkshopFound } from '#messaging/inbound/unmatched.ts';
import { insertMessages } from '#sending/queue/store.ts';
import { addDeadLetter } from '#work/dead-letters/store.ts';
import { type Pieces, workOff } from '#work/failed/alone.ts';
import { newMessagesOf } from './compose.ts';
import {
  type AdoptedState,
  findOldJobs,
  findOldLetters,
  findSettledNotices,
  followOldProcesses,
  hasOldQueue,
  isJustUpgraded,
  type OldJob,
  type OldNotice,
  queueStored,
  renameOldLetters,
  restoreStates,
  takeOldJobs,
  takeOldNotices,
} from './store.ts';

const atOnce = 200;

/** What is adopted, in this order. */
export const adoptedWorks = {
  adoptJob: adopted('adoptJob', 'jobSubjectId', findOldJobs, adoptJobs),
  adoptLetter: adopted('adoptLetter', 'letterId', findOldLetters, adoptLetters),
  adoptNotice: adopted('adoptNotice', 'noticeId', findSettledNotices, adoptSettled),
};

function adopted(
  job: string,
  subject: string,
  find: (db: Queryable, job: string, limit: number) => Promise<string[]>,
  adopt: (tx: Queryable, ctx: Context, ids: readonly string[]) => Promise<number>,
): Pieces {
  return {
    ...{ job, subject, atOnce },
    find: (db, _, atMost) => find(db, job, atMost),
    run: (ctx, ids) => ctx.db.transaction((tx) => adopt(tx, ctx, ids)),
  };
}

/** Returns how many jobs, dead letters and notices were adopted. */
export async function adoptOldWork(ctx: Context): Promise<number> {
  const { db } = ctx;
  if (!(await hasOldQueue(db))) return 0;
  let count = 0;
  for (const works of Object.values(adoptedWorks)) count += await workOff(ctx, works);
  if (await isJustUpgraded(db)) await followOldProcesses(db);
  if (count > 0) ctx.nudgeSender();
  return count;
}

async function adoptJobs(tx: Queryable, ctx: Context, subjectIds: readonly string[]): Promise<number> {
  const jobs = await takeOldJobs(tx, subjectIds);
  const byKind = Map.groupBy(jobs, ({ job }) => job);
  const of = (job: string) => byKind.get(job) ?? [];
  const notices = [...of('deliverNotification'), ...of('deliverAnswerNotice')];
  await adoptNotices(tx, ctx, notices);
  const replies = of('sendQueued');
  await queueStored(
    tx,
    replies
      .filter(({ isSpent }) => !isSpent)
      .map(({ subjectId: id, attempts: tries, dueAt, waitsSince }) => ({ id, tries, dueAt, waitsSince })),
  );
  for (const { subjectId } of of('relay')) await releaseEvent(tx, subjectId);
  const at = ctx.clock.now();
  for (const { subjectId: unplacedId } of of('placeInbound')) {
    await addDeadLetter(tx, {
      job: 'placeInbound',
      payload: { unplacedId },
      ...noWorkshopFound,
      attempts: 1,
      at,
    });
  }
  for (const { subjectId: messageId, attempts } of [...notices, ...replies].filter(
    ({ isSpent }) => isSpent,
  )) {
    const detail = 'The worker died while it sent this.';
    await addDeadLetter(tx, {
      job: 'send',
      payload: { messageId },
      reason: 'workerDied',
      detail,
      attempts,
      at,
    });
  }
  return jobs.length;
}

/** Afterwards their messages can be retried. */
async function adoptLetters(tx: Queryable, ctx: Context, letterIds: readonly string[]): Promise<number> {
  const letters = await renameOldLetters(tx, letterIds);
  const ids = letters.filter(({ job }) => job !== 'sendQueued').map(({ subjectId }) => subjectId);
  await adoptNotices(tx, ctx, ids.map(settledJob));
  return letters.length;
}

/** Adopts what old processes have sent since the migration. */
async function adoptSettled(tx: Queryable, ctx: Context, ids: readonly string[]): Promise<number> {
  await adoptNotices(tx, ctx, ids.map(settledJob));
  return ids.length;
}

type NoticeJob = Pick<OldJob, 'subjectId' | 'attempts' | 'isSpent'> & Partial<OldJob>;
const settledJob = (subjectId: string): NoticeJob => ({ subjectId, attempts: 0, isSpent: true });

const open = new Set(['pending', 'sending', 'unknown', 'failed']);

async function adoptNotices(tx: Queryable, ctx: Context, jobs: readonly NoticeJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const { clock, config, log } = ctx;
  const notices = await takeOldNotices(
    tx,
    jobs.map(({ subjectId }) => subjectId),
  );
  const jobOf = new Map(jobs.map((job) => [job.subjectId, job]));
  const rows = await newMessagesOf(tx, notices, log);
  await insertMessages(tx, rows, { now: clock.now(), exemptCountries: config.optOutExemptCountries });
  await restoreStates(
    tx,
    notices.map((notice) => stateOf(notice, jobOf.get(notice.id), clock.machineNow())),
  );
}

function stateOf(notice: OldNotice, job: NoticeJob | undefined, now: Date): AdoptedState {
  const { id, state, reason, detail, gateway, gatewayId, attemptId, attempts, repeatsUnknown } = notice;
  const { createdAt, updatedAt } = notice;
  const isHanging = notice.audience === 'customer' && notice.recipient === '';
  return {
    ...{
      id,
      state,
      reason,
      detail,
      gateway,
      gatewayId,
      attemptId,
      attempts,
      repeatsUnknown,
      createdAt,
      updatedAt,
    },
    waits: job !== undefined && !job.isSpent && open.has(state) && !isHanging,
    tries: job?.attempts ?? 0,
    dueAt: job?.dueAt ?? now,
    waitsSince: job?.waitsSince ?? now,
  };
}
