/** The worker: relay, sender, deliverer, clock schedule and heartbeat of one process. `serve` runs it beside the API. */

import { newId } from '#base/values/id.ts';
import type { Context } from '#platform/context.ts';
import { inTurns, LaneEnded } from '#platform/db/in-turns.ts';
import { startRelay } from '#platform/events/relay.ts';
import { limitersOf } from '#platform/gateways/limiter/limiters.ts';
import { repeat } from '#platform/work/repeat.ts';
import { beat, forgetDeadWorkers, forgetWorker, workBacklog } from '#platform/work/store.ts';
import { startSender } from '#product/sending/sender.ts';
import { startDeliverer } from '#product/webhooks/deliveries/deliverer.ts';
import { reactions } from '#reactions.ts';
import { composers, schedule } from '#work.ts';

export interface WorkerTiming {
  readonly heartbeatMs: number;
  /** A worker without a heartbeat for this long counts as dead. */
  readonly silentMs: number;
  /** How often dead workers are searched for. */
  readonly searchMs: number;
}

const usualTiming: WorkerTiming = { heartbeatMs: 5_000, silentMs: 30_000, searchMs: 10_000 };

export interface Worker {
  /** Tells the relay that an event waits. */
  nudgeRelay(): void;
  /** Tells the sender that a message is queued, and the deliverer that a delivery is. */
  nudgeSender(): void;
  /** Lets the work in progress end, within about 15 seconds. Call it before the database is closed. */
  stop(): Promise<void>;
}

/** Starts all background work of this process. Rejects when the database is not there or lacks the migrations. */
export async function startWorker(ctx: Context, timing: WorkerTiming = usualTiming): Promise<Worker> {
  await workBacklog(ctx.db);
  const id = `worker-${newId()}`;
  let nudgeRelay: () => void = () => undefined;
  let nudgeSender: () => void = () => undefined;
  const own: Context = { ...ctx, nudgeRelay: () => nudgeRelay(), nudgeSender: () => nudgeSender() };
  const lane = inTurns(own.db);
  const housekeeping: Context = { ...own, db: lane.db };
  const sender = startSender(own, composers);
  const deliverer = startDeliverer(own);
  nudgeSender = () => {
    sender.nudge();
    deliverer.nudge();
  };
  const relay = startRelay(own, reactions);
  nudgeRelay = relay.nudge;

  const failed = (work: string) => (err: unknown) => {
    if (!(err instanceof LaneEnded)) ctx.log.error({ err, work }, 'scheduled work failed');
  };
  const gateways = () => limitersOf(ctx).map((limiter) => limiter.state());
  const heartbeat = repeat(timing.heartbeatMs, () => beat(ctx.db, id, gateways()), failed('heartbeat'));
  const repeating = [
    repeat(timing.searchMs, () => forgetTheDead(ctx, timing.silentMs), failed('forgetDeadWorkers')),
    ...schedule.map(({ name, everyMs, run, isHousekeeping }, at) =>
      repeat(
        everyMs,
        () => run(isHousekeeping ? housekeeping : own),
        failed(name),
        firstAfterMs(everyMs, at),
      ),
    ),
  ];

  return {
    nudgeRelay: relay.nudge,
    nudgeSender: () => nudgeSender(),
    async stop() {
      lane.end();
      await heartbeat.stop();
      await relay.stop();
      await Promise.all([sender.stop(), deliverer.stop(), ...repeating.map((each) => each.stop())]);
      // Its row would count as alive for another 30 seconds.
      await forgetWorker(ctx.db, id).catch((err) =>
        ctx.log.warn({ err }, 'the row of a stopped worker could not be deleted'),
      );
    },
  };
}

/** By then each job has begun. */
const allBegunMs = 10_000;

/** Jobs begin one after the other, and go on so: all at once they would take a connection each, every second, of 15 to 30 MiB. */
function firstAfterMs(everyMs: number, at: number): number {
  return (Math.min(everyMs, allBegunMs) * at) / schedule.length;
}

async function forgetTheDead({ db, log }: Context, silentMs: number): Promise<void> {
  const dead = await forgetDeadWorkers(db, silentMs);
  if (dead.length > 0)
    log.warn({ workers: dead }, 'dead workers are removed: others claim their work when its leases end');
}
