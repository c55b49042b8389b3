/** The worker: relay, job queue, clock schedule and heartbeat of one process. `serve` runs it beside the API. */
import type { Context } from '#context.ts';
import { startRelay } from '#events/relay.ts';
import { reactions } from '#reactions.ts';
import { lanesOf } from '#work/queue/admission.ts';
import { startQueue } from '#work/queue/queue.ts';
import { repeat } from '#work/repeat.ts';
import { beat, forgetDeadWorkers } from '#work/store.ts';
import { jobs, schedule } from '#work.ts';

export interface WorkerTiming {
  readonly heartbeatMs: number;
  /** A worker that was silent for this long is dead: its jobs go to others. */
  readonly silentMs: number;
  /** How often the dead are looked for. */
  readonly searchMs: number;
}

/** A killed worker's jobs are free after 40 s at most. */
const usualTiming: WorkerTiming = { heartbeatMs: 5_000, silentMs: 30_000, searchMs: 10_000 };

export interface Worker {
  /** Tells the relay that an event waits. */
  nudge(): void;
  /** Lets the work at hand end; within about 15 seconds. Call it before the database is closed. */
  stop(): Promise<void>;
}

/** Starts all background work of this process. Rejects when the database is not there or lacks the migrations. */
export async function startWorker(ctx: Context, timing: WorkerTiming = usualTiming): Promise<Worker> {
  let nudge: () => void = () => undefined;
  const own: Context = { ...ctx, nudgeRelay: () => nudge() };
  const queue = await startQueue(own, jobs);
  const relay = startRelay(own, reactions);
  nudge = relay.nudge;

  const failed = (work: string) => (err: unknown) => ctx.log.error({ err, work }, 'scheduled work failed');
  const gateways = () => lanesOf(ctx).map((lane) => lane.state());
  const heartbeat = repeat(
    timing.heartbeatMs,
    () => beat(ctx.db, queue.workerId, gateways()),
    failed('heartbeat'),
  );
  const repeating = [
    repeat(timing.searchMs, () => freeDeadWorkers(ctx, timing.silentMs), failed('forgetDeadWorkers')),
    ...schedule.map(({ name, everyMs, run }) => repeat(everyMs, () => run(own), failed(name))),
  ];

  return {
    nudge: relay.nudge,
    async stop() {
      // A beat after the queue has signed off would make the worker known again.
      await heartbeat.stop();
      await relay.stop();
      await Promise.all([queue.stop(), ...repeating.map((each) => each.stop())]);
    },
  };
}

async function freeDeadWorkers(ctx: Context, silentMs: number): Promise<void> {
  const dead = await forgetDeadWorkers(ctx.db, silentMs);
  if (dead.length > 0) ctx.log.warn({ workers: dead }, 'the jobs of dead workers were freed');
}
