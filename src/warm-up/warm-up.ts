/**
 * Before a process says that it is ready, it does what it will do most, so that its first second is as quick as the next: connections are
 * open, statements are planned on them, and V8 has compiled what runs often. All of it is rolled back.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { elapsedMs } from '#base/clock.ts';
import type { Context } from '#platform/context.ts';
import { usualConnections } from '#platform/db/pool.ts';
import type { Rehearsable, Stage } from '#platform/db/rehearsal.ts';
import { type Counts, rehearseRequests } from './requests.ts';
import { rehearseSends } from './sends.ts';
import { hasWaiting } from './store.ts';
import { makeWorld } from './world.ts';

export interface WarmUpBounds {
  /** No rehearsal begins after it, but for the first two. */
  readonly beginsWithinMs: number;
  /** After it the process is ready, whatever became of the rehearsal that is under way. */
  readonly endsWithinMs: number;
  /** Connections that are warm afterwards, at most: fewer where the pool opens fewer by itself. */
  readonly connections: number;
}

/** After its connections are closed. */
const settlesWithinMs = 250;
const usualBounds: WarmUpBounds = {
  beginsWithinMs: 700,
  endsWithinMs: 2_000,
  connections: usualConnections,
};
/** The first rehearsal tells which statements run; the others run them often enough for V8 to compile what surrounds them. */
const first: Counts = { bookings: 8, reads: 8 };
const further: Counts = { bookings: 24, reads: 16 };
const furtherAtMost = 6;

/** The parts of the process: `app` is null in a worker alone, `sends` false in an API alone. */
export interface WarmUp {
  readonly onStage: Rehearsable['onStage'];
  readonly context: Context;
  readonly app: FastifyInstance | null;
  readonly sends: boolean;
}

/** Never rejects, and leaves no trace; a failure is logged, and the process is ready without it. */
export async function warmUp(
  { onStage, context, app, sends }: WarmUp,
  { beginsWithinMs, endsWithinMs, connections }: WarmUpBounds = usualBounds,
): Promise<void> {
  const { log } = context;
  const begunMs = elapsedMs();
  const over = new AbortController();
  let rehearsals = 0;
  const onceWith = (counts: Counts) => async () => {
    // Real work that waits is left to others. Work that comes at this very moment may be taken: it is given back with the rest.
    const mayTake = sends && !(await hasWaiting(context.db));
    const world = await makeWorld(context);
    await rehearseRequests({ context, app, world, counts });
    if (mayTake) await rehearseSends(context);
    rehearsals++;
  };
  const perform = async ({ rehearse, planElsewhere }: Stage) => {
    const texts = await rehearse(onceWith(first));
    const planned = planElsewhere(texts);
    // Awaited below, unless a rehearsal fails first.
    planned.catch(() => undefined);
    for (let n = 0; n === 0 || (n < furtherAtMost && elapsedMs() - begunMs < beginsWithinMs); n++)
      await rehearse(onceWith(further));
    await planned;
  };
  const performed = onStage(connections, over.signal, perform).catch((err) => {
    if (!over.signal.aborted) log.warn({ err }, 'the warm-up failed: the first requests may be slow');
  });
  const timer = setTimeout(() => {
    log.info('the warm-up was ended, since it took long: the first requests may be slow');
    // Its connections are closed, so what it waits for fails at once.
    over.abort();
  }, endsWithinMs);
  await Promise.race([performed, sleep(endsWithinMs + settlesWithinMs, undefined, { ref: false })]);
  clearTimeout(timer);
  log.debug({ ms: Math.round(elapsedMs() - begunMs), rehearsals }, 'warmed up');
}
