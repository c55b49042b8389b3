/** Queues the SMS of reminders that are due by the business clock. */
import { actors } from '#base/values/actor.ts';
import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { enqueue } from '#product/sending/enqueue.ts';
import { keepWayOuts } from '#product/way-out/store.ts';
import { messageOf } from './message.ts';
import { type DueReminder, endScheduled, findDue, takeDue } from './store.ts';

/** A reminder and its message, or its end, are one commit. Two processes may run it at once. */
export const dueReminders: Pieces = {
  job: 'sendReminder',
  subject: 'reminderId',
  atOnce: 100,
  find: (db, now, atMost) => findDue(db, now, atMost, dueReminders.job),
  run: send,
};

/** A reminder whose partner may no longer send fails; one of `reminderMonths` whose car was booked since is cancelled. */
export const sendDueReminders = (context: Context): Promise<number> => workOff(context, dueReminders);

/** Cancels all reminders that are due by then (business time), as part of a restore. Returns how many. */
export function cancelDueReminders(tx: Queryable, now: Date): Promise<number> {
  return inBatches(async (atMost) => {
    const ids = await findDue(tx, now, atMost);
    await endScheduled(tx, ids, 'cancelled', now, actors.operator);
    return ids.length;
  }, dueReminders.atOnce);
}

/** The operator gives up a reminder whose job failed. */
export const giveUpReminder = (tx: Queryable, id: string, now: Date): Promise<void> =>
  endScheduled(tx, [id], 'failed', now, actors.operator);

async function send(context: Context, ids: readonly string[]): Promise<number> {
  const { config } = context;
  return change(context, async ({ tx, now }) => {
    const due = await takeDue(tx, now, ids);
    const needed = due.filter(({ isNeedless }) => !isNeedless);
    const idsOf = (reminders: readonly DueReminder[]) => reminders.map(({ id }) => id);
    const canGo = ({ isOpen, phone }: DueReminder) => isOpen && phone !== null;
    await endScheduled(
      tx,
      idsOf(due.filter(({ isNeedless }) => isNeedless)),
      'cancelled',
      now,
      actors.schedule,
    );
    await endScheduled(
      tx,
      idsOf(needed.filter((reminder) => !canGo(reminder))),
      'failed',
      now,
      actors.schedule,
    );
    const composed = needed
      .filter(canGo)
      .map((reminder) => messageOf(reminder, config, { keepsQuiet: true }));
    await keepWayOuts(
      tx,
      composed.flatMap(({ wayOut }) => wayOut ?? []),
      now,
    );
    const messages = composed.map(({ message }) => message);
    await enqueue(tx, messages, { now, actor: actors.schedule, exemptCountries: [] });
    return due.length;
  });
}
