/** Delivers what is due: the sender's loop, with one outlet that has a lane for each endpoint. */
import type { Context } from '#platform/context.ts';
import { createScanWindow } from '#platform/db/scan-window.ts';
import { type Loop, startLoop } from '#product/sending/loop.ts';
import { attempt } from './attempt.ts';
import { type ClaimedDelivery, claimDeliveries, turns } from './claim/store.ts';
import { recordFinish } from './finish/store.ts';
import { nextInMs } from './schedule.ts';

/** The most deliveries in flight in one process. */
const atOnce = 250;

/** Starts delivering, until `stop`; any number of processes may deliver on one database. */
export function startDeliverer(ctx: Context): Loop {
  const { db, clock, log } = ctx;
  const load = countByPartner();
  const scans = createScanWindow();
  const loop: Loop = startLoop<ClaimedDelivery>({
    outlets: [
      {
        name: 'webhooks',
        room: (running) => atOnce - running,
        async claim(room) {
          const claim = { room, running: load.running, now: clock.now() };
          const { deliveries, moreDue } = await claimDeliveries(db, claim, scans);
          for (const { partnerId } of deliveries) load.add(partnerId, 1);
          return { works: deliveries, hasMore: moreDue };
        },
        watchRoom: () => undefined,
      },
    ],
    prepare: async () => undefined,
    async run(delivery, ended) {
      await deliver(ctx, delivery, () => {
        load.add(delivery.partnerId, -1);
        ended();
      });
      // Its endpoint may take the next delivery.
      loop.nudge();
    },
    renew: (works) => turns.renew(db, works),
    failed: (err, what) => log.error({ err, what }, 'the deliverer failed and will try again'),
  });
  return loop;
}

/** One pass, for tests and tools: delivers what is due and has room. Returns how many it processed; more may be due then. */
export async function deliverDue(ctx: Context): Promise<number> {
  const { deliveries } = await claimDeliveries(ctx.db, {
    room: atOnce,
    running: new Map(),
    now: ctx.clock.now(),
  });
  await Promise.all(deliveries.map((each) => deliver(ctx, each)));
  return deliveries.length;
}

/** The number of deliveries in flight by partner; partners with none are absent. */
function countByPartner() {
  const running = new Map<string, number>();
  return {
    running: running as ReadonlyMap<string, number>,
    add(partnerId: string, more: number): void {
      const count = (running.get(partnerId) ?? 0) + more;
      if (count > 0) running.set(partnerId, count);
      else running.delete(partnerId);
    },
  };
}

/** Calls `ended` once, when the endpoint has finished. Never rejects. */
async function deliver(
  ctx: Context,
  delivery: ClaimedDelivery,
  ended: () => void = () => undefined,
): Promise<void> {
  const { id: deliveryId, webhookId, attemptId, eventId, action, tries, payload, version } = delivery;
  try {
    const event = payload === null || version === null ? null : { id: eventId, action, version, payload };
    const done = await attempt(ctx, delivery, { deliveryId, attemptId, event }).finally(ended);
    const { delivered, gone, called, mayRetry } = done;
    const inMs = delivered || gone || !mayRetry ? null : nextInMs(tries);
    const now = ctx.clock.now();
    await recordFinish(ctx.db, {
      ...{ deliveryId, webhookId, attemptId, delivered, gone, inMs, now },
      ...{ attempt: done.attempt, counts: called },
    });
  } catch (err) {
    ctx.log.error(
      { err, deliveryId, webhookId },
      'a delivery could not be recorded; it is due again when its lease ends',
    );
  }
}
