/** Records the sandbox's delivery reports, as callbacks of a real gateway would. */

import { change } from '#platform/change/change.ts';
import type { Context } from '#platform/context.ts';
import { type Pieces, workOff } from '#platform/work/failed/alone.ts';
import { recordReport } from '#product/gateway-callbacks/record-report.ts';
import { findDueReports, takeReports } from './store.ts';

export const dueReports: Pieces = {
  job: 'handOutReport',
  subject: 'sandboxMessageId',
  atOnce: 100,
  find: (db, _, atMost) => findDueReports(db, dueReports.job, atMost),
  // A report that was recorded by a process that died before marking it is handed out again, and changes nothing.
  run: (context, ids) =>
    change(context, async ({ tx }) => {
      const taken = await takeReports(tx, ids);
      for (const { reference, state } of taken) {
        await recordReport(context, 'sandbox', { reference, state, detail: null });
      }
      return taken.length;
    }),
};

/** Does nothing, and reads nothing, when no sandbox gateway is in use. */
export async function handOutReports(ctx: Context): Promise<void> {
  if (ctx.sandbox) await workOff(ctx, dueReports);
}
