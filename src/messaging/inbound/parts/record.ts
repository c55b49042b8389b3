/** Stores long SMS whose parts have all come, or have been waited for long enough. */
import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { receiveSms } from '../receive.ts';
import { bodyOf } from './body.ts';
import { deleteDone, type LongSms, markRecorded, takeDue } from './store.ts';

const atOnce = 50;

/** Stores a closed message, once however often it is called. A failure is logged; the schedule tries again. */
export async function recordLong(context: Context, long: LongSms): Promise<void> {
  const { id, gateway, sender, recipient } = long;
  try {
    const body = bodyOf(long);
    await receiveSms(context, gateway, { gatewayId: id, from: sender, to: recipient, body });
    await markRecorded(context.db, id);
  } catch (err) {
    context.log.warn({ err, gateway, longSmsId: id }, 'a long SMS could not be stored yet');
  }
}

/** Stores what is due, part by part or whole, and forgets what was stored long enough ago. Safe from several processes at once. */
export async function recordDueParts(context: Context): Promise<void> {
  await inSteps(async (atMost) => {
    const due = await takeDue(context.db, atMost);
    for (const long of due) await recordLong(context, long);
    return due.length;
  }, atOnce);
  await inSteps(async (atMost) => {
    const { deleted, givenUp } = await deleteDone(context.db, atMost);
    if (givenUp > 0)
      context.log.error({ givenUp }, 'long SMS could not be stored for a day and are given up');
    return deleted;
  });
}
