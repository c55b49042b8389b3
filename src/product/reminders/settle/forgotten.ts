/** Settles reminders whose SMS ended without the reminder being updated. */

import { actors } from '#base/values/actor.ts';
import { changeAtOnce } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { findForgotten, settleReminders } from './store.ts';

export const forgottenReminders: Pieces = {
  job: 'settleReminder',
  subject: 'messageId',
  atOnce: 200,
  find: (db, now, atMost) => findForgotten(db, forgottenReminders.job, now, atMost),
  run: (context, messageIds) =>
    changeAtOnce(context, async () => {
      const { db, clock } = context;
      await settleReminders(db, messageIds, clock.now(), actors.schedule);
      return messageIds.length;
    }),
};

export const settleForgotten = (ctx: Context): Promise<number> => workOff(ctx, forgottenReminders);
