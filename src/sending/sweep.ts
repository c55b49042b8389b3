/**
 * Settles entries that no claim takes: attempts whose process is gone, and messages that have waited for a gateway for too long.
 */

import type { Context } from '#context.ts';
import { inSteps } from '#db/in-steps.ts';
import { finishOf } from './finish/outcome.ts';
import { recordFinish } from './finish/store.ts';
import { abandonedEntries, claimExpired } from './lease/store.ts';
import { stopped } from './stopped.ts';

const atOnce = 200;

const left = {
  state: 'unknown',
  reason: 'unknownOutcome',
  detail: 'The service stopped before the gateway answered.',
} as const;

/**
 * Runs in small steps; two processes may run it at once. An attempt of the sender becomes unknown even while its gateway takes
 * nothing, and is reconciled once the gateway does.
 */
export async function sweepSending({ db, clock, nudgeRelay }: Context): Promise<void> {
  await inSteps(async (atMost) => {
    const abandoned = await abandonedEntries(db, atMost);
    await Promise.all(
      abandoned.map(({ inRequest, ...entry }) =>
        recordFinish(
          db,
          finishOf({ ...entry, ...left, next: inRequest ? 'done' : 'reconcile', now: clock.now() }),
        ),
      ),
    );
    if (abandoned.length > 0) nudgeRelay();
    return abandoned.length;
  }, atOnce);
  await inSteps(async (atMost) => {
    const expired = await claimExpired(db, atMost);
    await Promise.all(
      expired.map((messageId) =>
        recordFinish(db, finishOf({ messageId, attemptId: null, now: clock.now(), ...stopped.expired })),
      ),
    );
    return expired.length;
  }, atOnce);
}
