/** Stores long SMS that are complete, or whose missing parts have not come in time. */
import type { Context } from '#platform/context.ts';
import { inBatches } from '#platform/db/in-batches.ts';
import { runAll } from '#platform/db/run-all.ts';
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
  return runAll([
    () => workOff(context, dueLongSms),
    () => inBatches((atMost) => deleteRecorded(context.db, atMost)),
  ]);
}
