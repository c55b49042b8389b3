/** The relay's loop: at once when nudged, every quarter of a second when idle, without a pause while batches are full. */
import type { Context } from '#platform/context.ts';
import { createScanWindow } from '#platform/db/scan-window.ts';
import { startPauses } from '#platform/work/pauses.ts';
import { batchSize, relayBatch } from './batch.ts';
import type { Reactions } from './reaction.ts';

const pollMs = 250;
/** After a nudge: lets the events of other requests join the batch. */
const gatherMs = 10;
const afterFailureMs = 1_000;

export interface Relay {
  /** Wakes the relay, since an event waits. Cheap: every request that records an event calls it. */
  nudge(): void;
  /** Ends the loop after the present batch. */
  stop(): Promise<void>;
}

/** Starts relaying; any number of relays may run on one database. */
export function startRelay(ctx: Context, reactions: Reactions): Relay {
  const scans = createScanWindow();
  let stopping = false;
  let nudged = false;
  const { pause, endAll } = startPauses();

  async function step(): Promise<void> {
    nudged = false;
    try {
      const count = await relayBatch(ctx, reactions, scans);
      if (count >= batchSize / 2) return;
    } catch (error) {
      ctx.log.error({ err: error }, 'the relay failed and will try again');
      if (!stopping) await pause(afterFailureMs);
    }
    if (!stopping && !nudged) await pause(pollMs);
    if (!stopping && nudged) await pause(gatherMs);
  }

  const loop = (async () => {
    while (!stopping) await step();
  })();

  return {
    nudge() {
      if (nudged) return;
      nudged = true;
      endAll();
    },
    async stop() {
      stopping = true;
      endAll();
      await loop;
    },
  };
}
