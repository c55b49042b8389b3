/** Hands the sandbox's delivery reports to whom they concern, as a real gateway's receipts would come. */

import type { Context } from '#context.ts';
import { recordReport } from '#gateway-callbacks/record-report.ts';
import { takeDueReports } from './store.ts';

/** Nothing happens, and nothing is read, where no sandbox gateway is in use. */
export async function handOutReports({ db, clock, sandbox }: Context): Promise<void> {
  if (!sandbox) return;
  // One that is recorded and not marked so, because the process has died, is handed out again, and changes nothing.
  await db.transaction(async (tx) => {
    for (const { reference, state } of await takeDueReports(tx)) {
      await recordReport(db, 'sandbox', { reference, state, detail: null }, clock.now());
    }
  });
}
