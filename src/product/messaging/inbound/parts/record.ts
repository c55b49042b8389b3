/** Stores long SMS that are complete, or whose missing parts have not come in time. */
import type { Context } from '#platform/context.ts';
import { everyStep } from '#platform/db/every-step.ts';
import { inSteps } from '#platform/db/in-steps.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { receiveSms } from '../receive.ts';
import { bodyOf } from './body.ts';
import { deleteRecorded, findDue, type LongSms, markRecorded, takeDue } from './store.ts';

/** Stores a closed message; idempotent. */
export async function recordLong(context: Context, long: LongSms): Promise<void> {
  const { id, gateway, sender, recipient } = long;
  await receiveSms(context, gateway, { gatewayId: id, from: sender, to: recipient, body: bodyOf(long) });
  await markRecorded(context.db, id);
}

export const dueLongSms: Pieces = {
  job: 'recordLongSms',
  subject: 'longSmsId',
  atOnce: 50,
  find: (db, _now, atMost) => findDue(db, dueLongSms.job, atMost),
  async run(context, ids) {
    const due = await takeDue(context.db, ids);
    for (const long of due) await recordLong(context, long);
    return due.length;
  },
};

/**
 * Stores the messages that are due, complete or not, and deletes the rows of messages stored long enough ago. Several processes may
 * run it at once.
 */
export function recordDueParts(context: Context): Promise<void> {
  return everyStep([
    () => workOff(context, dueLongSms),
    () => inSteps((atMost) => deleteRecorded(context.db, atMost)),
  ]);
}
