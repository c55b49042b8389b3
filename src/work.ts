/** ALL BACKGROUND WORK ON ONE PAGE: what the clock triggers, who composes e-mails, and how failed work is tried again. */

import { purgeLeftCopies } from '#operation/sandbox/purge.ts';
import { dueReports, handOutReports } from '#operation/sandbox/reports.ts';
import { trimSandbox } from '#operation/sandbox/store.ts';
import { purgeAttempts } from '#platform/attempts/store.ts';
import { copyMissedEvents, purgeTrail } from '#platform/audit/purge.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { analyseYoungTables } from '#platform/db/young-tables.ts';
import { relayAgain, relayJob } from '#platform/events/batch.ts';
import { purgeEvents } from '#platform/events/purge.ts';
import { releaseEvent } from '#platform/events/store.ts';
import { rewriteOf } from '#platform/feed/epoch/store.ts';
import { keepFeed } from '#platform/feed/keep.ts';
import { purgeKept } from '#platform/idempotency/store.ts';
import { purgeUses } from '#platform/pages/bounds/store.ts';
import { purgeRecords } from '#platform/records/purge.ts';
import { type Again, type Job, type Pieces, retryFailed } from '#platform/work/failed/alone.ts';
import { purgePastDays } from '#product/availability/places/purge.ts';
import { dueRuns, purgeRuns, runAutomations } from '#product/campaigns/automations/run.ts';
import { failRun } from '#product/campaigns/automations/runs/due/store.ts';
import { advanceBlast, advanceBlasts, blastJob, purgeRecipients } from '#product/campaigns/blasts/advance.ts';
import { giveUpBlast } from '#product/campaigns/blasts/change.ts';
import { dueSearch, keepSearch, sweepSearch } from '#product/customers/search/keep.ts';
import {
  advanceAgain,
  advanceImports,
  importJob,
  purgeImports,
  stopImport,
} from '#product/imports/files/advance.ts';
import {
  stopTakeBack,
  takeBackAgain,
  takeBackImports,
  takeBackJob,
} from '#product/imports/take-back/take-back.ts';
import { attachmentJob, fetchAgain, fetchAttachments } from '#product/messaging/attachments/fetch.ts';
import { failAttachment } from '#product/messaging/attachments/store.ts';
import { dueLongSms, recordDueParts } from '#product/messaging/inbound/parts/record.ts';
import { deleteLong } from '#product/messaging/inbound/parts/store.ts';
import { deleteUnmatched } from '#product/messaging/inbound/store.ts';
import { retryUnmatched } from '#product/messaging/inbound/unmatched.ts';
import { dueTexts, giveUpText, sendDueTexts } from '#product/messaging/inbox/later/send-due.ts';
import { purgeRates } from '#product/messaging/store.ts';
import { sendAccountEmailAgain, sendAccountEmails } from '#product/notifications/account-emails/send.ts';
import { dueDigests, enqueueInboxDigests } from '#product/notifications/inbox-digests/enqueue.ts';
import { skipUnreportedOf } from '#product/notifications/inbox-digests/store.ts';
import { noticeComposers } from '#product/notifications/queued.ts';
import { purgeTokens } from '#product/partners/sessions/store.ts';
import { accountEmailJob, retryAccountEmail } from '#product/people/emails/letters.ts';
import { deleteAccountEmail } from '#product/people/emails/store.ts';
import { resealSeedAgain, resealSeeds, resealSeedsJob } from '#product/people/factors/totp/reseal.ts';
import { purgeSignIns } from '#product/people/sessions/purge.ts';
import { expiredQuotes, sweepQuotes } from '#product/quotes/expire.ts';
import { dueReminders, giveUpReminder, sendDueReminders } from '#product/reminders/schedule/send-due.ts';
import { forgottenReminders, settleForgotten } from '#product/reminders/settle/forgotten.ts';
import type { EmailComposers } from '#product/sending/compose.ts';
import { purgeHolds } from '#product/sending/hold/store.ts';
import { purgeDays } from '#product/sending/limits/store.ts';
import {
  giveUpOptIn,
  optInJob,
  purgeToldOptIns,
  tellAgain,
  tellOptIns,
} from '#product/sending/provider-opt-in/tell.ts';
import { purgeSegments } from '#product/sending/report/segments/purge.ts';
import { requeue } from '#product/sending/requeue.ts';
import { purgeOldMessages } from '#product/sending/retention/purge.ts';
import { abandonedJob, expireAgain, expiredJob, leaveAgain, sweepSending } from '#product/sending/sweep.ts';
import { purgeWayOuts } from '#product/way-out/store.ts';
import { disablementJob, notifyAgain, notifyOfDisablement } from '#product/webhooks/disablement/notify.ts';
import { skipNotice } from '#product/webhooks/disablement/store.ts';
import { rewritePartnerEvents } from '#product/webhooks/feed/store.ts';
import { purgeWebhooks } from '#product/webhooks/purge.ts';
import { resealAgain, resealJob, resealSecrets } from '#product/webhooks/reseal.ts';
import { reactions } from '#reactions.ts';
import { records } from '#records.ts';
import { purgeFormKeys } from './console/frame/form-key/purge.ts';

/** The composer of each kind of message that goes by e-mail. */
export const composers: EmailComposers = noticeComposers;

/** How failed work is retried. The operator decides about dead letters, in the transaction that deletes the letter. */
export interface FailedWork {
  /** The job and its subject; absent where the work is not scheduled: messages have their own attempts. */
  readonly alone?: Job & { again(ctx: Context, id: string): Promise<unknown> };
  /**
   * Retries a dead letter whose work is not among the failed work. `id` is the payload's, `now` is business time. Throws
   * OperatorError when it fails again at once.
   */
  retry?(tx: Queryable, id: string, now: Date): Promise<unknown>;
  /** The operator discards it; absent where discarding needs no action. */
  discard?(tx: Queryable, id: string, now: Date): Promise<unknown>;
}

const ofPieces = (pieces: Pieces, more: Omit<FailedWork, 'alone'> = {}): FailedWork => ({
  alone: { ...pieces, again: (ctx, id) => pieces.run(ctx, [id]) },
  ...more,
});
const ofJob = (
  job: Job,
  again: (ctx: Context, id: string) => Promise<unknown>,
  more: Omit<FailedWork, 'alone'> = {},
): FailedWork => ({ alone: { ...job, again }, ...more });

/** By the job that failures and dead letters name. */
export const jobs: Readonly<Record<string, FailedWork>> = {
  /** A message that was given up: it is queued again, with all its attempts before it. */
  send: { retry: requeue },
  /** An unmatched SMS. */
  placeInbound: { retry: retryUnmatched, discard: deleteUnmatched },
  /** An event whose planner threw. One that a backup held waits again. */
  relay: ofJob(relayJob, (ctx, id) => relayAgain(ctx, reactions, id), {
    retry: releaseEvent,
    discard: async () => undefined,
  }),
  settleAbandoned: ofJob(abandonedJob, leaveAgain),
  settleExpired: ofJob(expiredJob, expireAgain),
  expireQuote: ofPieces(expiredQuotes),
  sendReminder: ofPieces(dueReminders, { discard: giveUpReminder }),
  sendScheduledText: ofPieces(dueTexts, { discard: giveUpText }),
  settleReminder: ofPieces(forgottenReminders),
  recordLongSms: ofPieces(dueLongSms, { discard: deleteLong }),
  fetchAttachment: ofJob(attachmentJob, fetchAgain, { discard: failAttachment }),
  tellOptIn: ofJob(optInJob, tellAgain, { discard: giveUpOptIn }),
  inboxDigest: ofPieces(dueDigests, { discard: skipUnreportedOf }),
  runAutomation: ofPieces(dueRuns, { discard: failRun }),
  advanceBlast: ofJob(blastJob, advanceBlast, { discard: giveUpBlast }),
  handOutReport: ofPieces(dueReports),
  notifyOfDisablement: ofJob(disablementJob, notifyAgain, { discard: skipNotice }),
  keepSearch: ofPieces(dueSearch),
  sendAccountEmail: ofJob(accountEmailJob, sendAccountEmailAgain, {
    retry: retryAccountEmail,
    discard: deleteAccountEmail,
  }),
  resealSecrets: ofJob(resealJob, resealAgain),
  advanceImport: ofJob(importJob, advanceAgain, { discard: stopImport }),
  takeBackImport: ofJob(takeBackJob, takeBackAgain, { discard: stopTakeBack }),
  resealSeeds: ofJob(resealSeedsJob, resealSeedAgain),
};

const again: Again = new Map(
  Object.entries(jobs).flatMap(([job, { alone }]) => (alone === undefined ? [] : [[job, alone]])),
);

export interface ScheduledWork {
  readonly name: string;
  readonly everyMs: number;
  /** Runs in each worker process, so it must do no harm when two run it at once. A failure is logged; it runs again. */
  readonly run: (ctx: Context) => Promise<unknown>;
  /** True for work that nobody waits for: it takes turns with the others of the kind at one connection. */
  readonly isHousekeeping?: true;
}

const housekeeping = (
  name: string,
  everyMs: number,
  run: (ctx: Context) => Promise<unknown>,
): ScheduledWork => ({ name, everyMs, run, isHousekeeping: true });

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const schedule: readonly ScheduledWork[] = [
  /** Failed work, each piece by itself. */
  { name: 'retryFailedWork', everyMs: second, run: (ctx) => retryFailed(ctx, again) },
  { name: 'keepSearch', everyMs: second / 2, run: keepSearch },
  { name: 'sweepSearch', everyMs: 20 * second, run: sweepSearch },
  { name: 'sweepSending', everyMs: 5 * second, run: sweepSending },
  { name: 'sweepQuotes', everyMs: 2 * second, run: sweepQuotes },
  { name: 'sendDueReminders', everyMs: 5 * second, run: sendDueReminders },
  { name: 'sendDueTexts', everyMs: second, run: sendDueTexts },
  { name: 'settleForgotten', everyMs: hour, run: settleForgotten },
  { name: 'recordDueParts', everyMs: 5 * second, run: recordDueParts },
  { name: 'fetchAttachments', everyMs: 2 * second, run: fetchAttachments },
  { name: 'tellOptIns', everyMs: 2 * second, run: tellOptIns },
  { name: 'enqueueInboxDigests', everyMs: 5 * second, run: enqueueInboxDigests },
  { name: 'runAutomations', everyMs: second, run: runAutomations },
  { name: 'advanceBlasts', everyMs: second, run: advanceBlasts },
  { name: 'advanceImports', everyMs: second, run: advanceImports },
  { name: 'takeBackImports', everyMs: second, run: takeBackImports },
  { name: 'analyseYoungTables', everyMs: 2 * second, run: (ctx) => analyseYoungTables(ctx.db) },
  {
    name: 'keepFeed',
    everyMs: minute,
    run: keepFeed([
      ...records.filter(({ hasFeed }) => hasFeed).map(({ table }) => rewriteOf(table)),
      rewritePartnerEvents,
    ]),
  },
  { name: 'handOutReports', everyMs: second, run: handOutReports },
  { name: 'notifyOfDisablement', everyMs: 5 * second, run: notifyOfDisablement },
  { name: 'sendAccountEmails', everyMs: second, run: sendAccountEmails },
  { name: 'resealSecrets', everyMs: 10 * minute, run: resealSecrets },
  { name: 'resealSeeds', everyMs: 10 * minute, run: resealSeeds },
  housekeeping('purgeAttempts', minute, (ctx) => purgeAttempts(ctx.db)),
  housekeeping('purgePageUses', minute, (ctx) => purgeUses(ctx.db)),
  housekeeping('purgeFormKeys', minute, purgeFormKeys),
  housekeeping('purgeRates', minute, (ctx) => purgeRates(ctx.db)),
  housekeeping('trimSandbox', minute, (ctx) => trimSandbox(ctx.db)),
  housekeeping('purgeSegments', 10 * minute, purgeSegments),
  housekeeping('purgeSignIns', minute, (ctx) => purgeSignIns(ctx.db)),
  housekeeping('purgeWebhooks', hour, purgeWebhooks),
  housekeeping('purgeEvents', hour, purgeEvents),
  housekeeping('copyMissedEvents', hour, copyMissedEvents),
  housekeeping('purgeTrail', hour, purgeTrail),
  housekeeping('purgeOldMessages', hour, purgeOldMessages),
  housekeeping('purgeLeftCopies', hour, purgeLeftCopies),
  housekeeping('purgeRecipients', hour, purgeRecipients),
  housekeeping('purgeRuns', hour, purgeRuns),
  housekeeping('purgeToldOptIns', hour, purgeToldOptIns),
  housekeeping('purgeHolds', hour, (ctx) => purgeHolds(ctx.db)),
  housekeeping('purgeRecords', hour, purgeRecords(records)),
  housekeeping('purgeWayOuts', hour, (ctx) => purgeWayOuts(ctx.db, ctx.clock.now())),
  housekeeping('purgeDays', hour, (ctx) => purgeDays(ctx.db)),
  housekeeping('purgePastDays', hour, purgePastDays),
  housekeeping('purgeImports', hour, purgeImports),
  housekeeping('purgeKept', hour, (ctx) => purgeKept(ctx.db, ctx.clock.now())),
  housekeeping('purgeTokens', hour, (ctx) => purgeTokens(ctx.db, ctx.clock.now())),
];
