/**
 * Settles entries that no claim takes: attempts whose process is gone, and messages that have waited for a gateway for too long.
 */
import type { Context } from '#context.ts';
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
  for (;;) {
    const abandoned = await abandonedEntries(db, atOnce);
    await Promise.all(
      abandoned.map(({ inRequest, ...entry }) =>
        recordFinish(
          db,
          finishOf({ ...entry, ...left, next: inRequest ? 'done' : 'reconcile', now: clock.now() }),
        ),
      ),
    );
    if (abandoned.length > 0) nudgeRelay();
    if (abandoned.length < atOnce) break;
  }
  for (;;) {
    const expired = await claimExpired(db, atOnce);
    await Promise.all(
      expired.map((messageId) =>
        recordFinish(db, finishOf({ messageId, attemptId: null, now: clock.now(), ...stopped.expired })),
      ),
    );
    if (expired.length < atOnce) return;
  }
}
