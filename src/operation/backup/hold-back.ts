/**
 * WHAT A RESTORE HOLDS BACK, ON ONE PAGE. Messages that waited when the backup was made, or have fallen due since, may have been
 * sent since: the database that knew is gone. To send nothing twice, none of them goes out by itself; nor does a provider hear of an opt-in,
 * which the customer may have taken back since. Deliveries of webhooks do go
 * out: they are made at least once, and receivers recognise repeats by their ids.
 */

import type { Queryable } from '#platform/db/database.ts';
import { setAsideEvents } from '#platform/events/store.ts';
import { setAside } from '#platform/work/dead-letters/set-aside.ts';
import { skipDueRuns } from '#product/campaigns/automations/runs/due/store.ts';
import { pauseBegun } from '#product/campaigns/blasts/change.ts';
import { holdBackDueTexts } from '#product/messaging/inbox/later/send-due.ts';
import { skipUnreported } from '#product/notifications/inbox-digests/store.ts';
import { endEverySession } from '#product/people/sessions/store.ts';
import { cancelDueReminders } from '#product/reminders/schedule/send-due.ts';
import { letteredKinds } from '#product/sending/kinds.ts';
import { holdBackOptIns } from '#product/sending/provider-opt-in/store.ts';
import { setAsideQueued } from '#product/sending/queue/store.ts';
import { skipNotices } from '#product/webhooks/disablement/store.ts';

/** How many of each. */
export interface HeldBack {
  /** Events whose notices were not queued yet: dead letters. */
  readonly events: number;
  /** Messages that waited, or were to be tried again: unknown, with dead letters where their kind has them. */
  readonly messages: number;
  /** Runs of automations that are due: skipped. */
  readonly automationRuns: number;
  /** Paused: resume or cancel them. */
  readonly blasts: number;
  /** Service reminders that are due: cancelled. */
  readonly reminders: number;
  /** Texts of staff for later that are due: failed, in their talks. */
  readonly scheduledTexts: number;
  /** Answers of customers that no digest has reported: they are in the inbox. */
  readonly answers: number;
  /** E-mails to partners about disabled endpoints. */
  readonly disablements: number;
  /** Sessions of people: the backup does not know which of them were ended since. */
  readonly sessions: number;
}

/** Runs in the commit of the restore, after all migrations. `now` is business time. */
export async function holdBack(tx: Queryable, now: Date): Promise<HeldBack> {
  // First, so that events recorded by the next steps are relayed.
  const events = await setAsideEvents(tx, now);
  await holdBackOptIns(tx);
  return {
    events,
    blasts: await pauseBegun(tx, now),
    messages: await setAsideQueued(tx, letteredKinds, now),
    automationRuns: await skipDueRuns(tx, now, setAside.reason),
    reminders: await cancelDueReminders(tx, now),
    scheduledTexts: await holdBackDueTexts(tx, now),
    answers: await skipUnreported(tx),
    disablements: await skipNotices(tx),
    sessions: await endEverySession(tx),
  };
}
