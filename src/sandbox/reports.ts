/** Records the sandbox's delivery reports, as callbacks of a real gateway would. */

import type { Context } from '#context.ts';
import { recordReport } from '#gateway-callbacks/record-report.ts';
import { takeDueReports } from './store.ts';

/** Does nothing, and reads nothing, when no sandbox gateway is in use. */
export async function handOutReports({ db, clock, sandbox }: Context): Promise<void> {
  if (!sandbox) return;
  // A report that was recorded by a process that died before marking it is handed out again, and changes nothing.
  await db.transaction(async (tx) => {
    for (const { reference, state } of await takeDueReports(tx)) {
      await recordReport(db, 'sandbox', { reference, state, detail: null }, clock.now());
    }
  });
}
