/** Queues the SMS of reminders that have fallen due, by the business clock. */
import { publicUrl } from '#config/public-url.ts';
import type { Context } from '#context.ts';
import type { Queryable } from '#db/database.ts';
import { inSteps } from '#db/in-steps.ts';
import { enqueue } from '#sending/enqueue.ts';
import { reminderText } from '../text.ts';
import { type DueReminder, endTaken, takeDue } from './store.ts';

const atOnce = 100;

/**
 * In small steps, each one commit: a reminder and its message, or what it ends as. Two processes may run it at once. One whose
 * partner may not send any more fails; one of `reminderMonths` whose car was booked since is cancelled.
 */
export async function sendDueReminders(context: Context): Promise<void> {
  await inSteps((atMost) => sendStep(context, atMost), atOnce);
}

/** Cancels all that are due by then (business time): they are not sent. Returns how many. */
export function cancelDueReminders(tx: Queryable, now: Date): Promise<number> {
  return inSteps(async (atMost) => {
    const ids = (await takeDue(tx, now, atMost)).map(({ id }) => id);
    await endTaken(tx, ids, 'cancelled', now);
    return ids.length;
  }, atOnce);
}

async function sendStep(
  { db, clock, config, nudgeRelay, nudgeSender }: Context,
  atMost: number,
): Promise<number> {
  const now = clock.now();
  const taken = await db.transaction(async (tx) => {
    const due = await takeDue(tx, now, atMost);
    const needed = due.filter(({ isNeedless }) => !isNeedless);
    const idsOf = (reminders: readonly DueReminder[]) => reminders.map(({ id }) => id);
    const canGo = ({ isOpen, phone }: DueReminder) => isOpen && phone !== null;
    await endTaken(tx, idsOf(due.filter(({ isNeedless }) => isNeedless)), 'cancelled', now);
    await endTaken(tx, idsOf(needed.filter((reminder) => !canGo(reminder))), 'failed', now);
    const messages = needed.filter(canGo).map((reminder) => messageOf(reminder, publicUrl(config)));
    await enqueue(tx, messages, { now, exemptCountries: [] });
    return due.length;
  });
  if (taken > 0) {
    nudgeRelay();
    nudgeSender();
  }
  return taken;
}

function messageOf(reminder: DueReminder, address: string | null) {
  const { id, partnerId, workshopId, customerId, lastBookingId, phone } = reminder;
  return {
    kind: 'serviceReminder',
    ...{ partnerId, workshopId, customerId },
    channel: 'sms',
    audience: 'customer',
    recipient: phone ?? '',
    bookingId: lastBookingId,
    causeId: id,
    body: reminderText({ ...reminder, phone, publicUrl: address }).body,
  } as const;
}
