/** Hands the sandbox's delivery reports to whom they concern, as a real gateway's receipts would come. */
import type { Context } from '#context.ts';
import { reportAttempt } from '#messaging/attempts/store.ts';
import { recordDeliveryReport } from '#notifications/store.ts';
import { takeDueReports } from './store.ts';

/** Nothing happens, and nothing is read, where no sandbox gateway is in use. */
export async function handOutReports({ db, clock, sandbox }: Context): Promise<void> {
  if (!sandbox) return;
  await db.transaction(async (tx) => {
    for (const { reference, state } of await takeDueReports(tx)) {
      const isMessage = await reportAttempt(tx, { reference, state, now: clock.now() });
      if (!isMessage) await recordDeliveryReport(tx, reference, state, clock.now());
    }
  });
}
