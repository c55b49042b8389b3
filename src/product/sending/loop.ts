/**
 * Claims, runs and records work, as much at once as each outlet has room for. It is independent of what the work is. It looks for
 * work when it is nudged, when a run has ended and more may be due, and periodically.
 */
import { elapsedMs } from '#base/clock.ts';
import type { Timers } from '#platform/gateways/limiter/timers.ts';
import { startPauses } from '#platform/work/pauses.ts';

export interface Claimed<Work> {
  readonly works: readonly Work[];
  /** More entries may be due than were claimed. */
  readonly hasMore: boolean;
}

/** A target of work with its own limits, such as a gateway. */
export interface Outlet<Work> {
  readonly name: string;
  /** How many more pieces it takes now, while `running` pieces of this loop are in flight. */
  room(running: number): number;
  /** Claims up to `room` pieces of work, each with a lease. */
  claim(room: number): Promise<Claimed<Work>>;
  /** Calls `watcher` whenever there may be more room. */
  watchRoom(watcher: () => void): void;
}

export interface LoopOptions<Work> {
  readonly outlets: readonly Outlet<Work>[];
  /** Called before each look at all outlets: queues work that has become due. */
  prepare(): Promise<void>;
  /** Does one piece of work, calls `ended` when the outlet has finished with it, and records the result. Never rejects. */
  run(work: Work, ended: () => void): Promise<void>;
  /** Renews the leases of long-running work. */
  renew(works: readonly Work[]): Promise<void>;
  failed(error: unknown, what: string): void;
  /** Defaults to the system's timer. */
  readonly after?: Timers['after'];
}

export interface Loop {
  /** Tells the loop that work is due. Cheap to call. */
  nudge(): void;
  /** Stops claiming, and resolves when all running work is recorded. */
  stop(): Promise<void>;
}

const pollMs = 250;
/** Nothing more is claimed while this many results wait to be recorded, because their leases run meanwhile. */
const recordingAtMost = 500;
const renewEveryMs = 5_000;
const afterFailureMs = 1_000;
/** Work that another process has locked is looked for again after this many milliseconds, up to twice as many. */
const afterOthersMs = 5;

export function startLoop<Work>(options: LoopOptions<Work>): Loop {
  const { outlets, prepare, run, renew, failed } = options;
  const lines = outlets.map((outlet) => ({
    outlet,
    running: new Map<Work, number>(),
    recording: new Map<Work, number>(),
    isClaiming: false,
    /** Resolves after the latest claim. */
    hasMore: false,
    lookAgain: false,
  }));
  type Line = (typeof lines)[number];
  const under = new Set<Promise<unknown>>();
  let isStopping = false;
  let isPreparing = false;
  let nudged = false;
  const pauses = startPauses(options.after);
  const pause = async (ms: number) => {
    if (!isStopping) await pauses.pause(ms);
  };

  function track(work: Promise<unknown>): void {
    under.add(work);
    void work.finally(() => under.delete(work));
  }

  async function runOne(line: Line, work: Work): Promise<void> {
    const { running, recording } = line;
    const sinceMs = elapsedMs();
    running.set(work, sinceMs);
    const ended = () => {
      if (running.delete(work)) recording.set(work, sinceMs);
      if (line.hasMore) look(line);
    };
    try {
      await run(work, ended);
    } finally {
      running.delete(work);
      recording.delete(work);
      if (line.hasMore) look(line);
    }
  }

  function look(line: Line): void {
    if (isStopping) return;
    if (line.isClaiming) line.lookAgain = true;
    else track(claimAll(line));
  }

  async function claimAll(line: Line): Promise<void> {
    line.isClaiming = true;
    try {
      do {
        // One claim for all the work that ends in this turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve));
        line.lookAgain = false;
        const room = line.outlet.room(line.running.size);
        if (room <= 0 || line.recording.size > recordingAtMost) {
          // A nudge while the outlets are full takes effect when there is room again.
          line.hasMore = true;
          break;
        }
        const { works, hasMore } = await line.outlet.claim(room);
        line.hasMore = hasMore;
        for (const work of works) track(runOne(line, work));
        if (works.length === 0 && hasMore) await pause(afterOthersMs * (1 + Math.random()));
      } while ((line.hasMore || line.lookAgain) && !isStopping);
    } catch (error) {
      line.hasMore = false;
      failed(error, `claim for ${line.outlet.name}`);
      await pause(afterFailureMs);
    } finally {
      line.isClaiming = false;
    }
  }

  async function lookAtAll(): Promise<void> {
    isPreparing = true;
    try {
      do {
        nudged = false;
        await prepare();
        for (const line of lines) look(line);
      } while (nudged && !isStopping);
    } catch (error) {
      failed(error, 'prepare');
      await pause(afterFailureMs);
    } finally {
      isPreparing = false;
    }
  }

  function nudge(): void {
    if (isStopping) return;
    nudged = true;
    if (!isPreparing) track(lookAtAll());
  }

  async function renewOld(): Promise<void> {
    const begunBefore = elapsedMs() - renewEveryMs;
    const old = lines.flatMap(({ running, recording }) =>
      [...running, ...recording].filter(([, sinceMs]) => sinceMs < begunBefore).map(([work]) => work),
    );
    if (old.length === 0) return;
    await renew(old).catch((error) => failed(error, 'renew leases'));
  }

  const poll = setInterval(nudge, pollMs);
  const renewing = setInterval(() => track(renewOld()), renewEveryMs);
  for (const line of lines) line.outlet.watchRoom(() => line.hasMore && look(line));
  nudge();

  return {
    nudge,
    async stop() {
      isStopping = true;
      clearInterval(poll);
      pauses.endAll();
      while (under.size > 0) await Promise.allSettled(under);
      clearInterval(renewing);
    },
  };
}
