/** A gateway's rate: times at which one message each may start, reserved in small batches among all processes. */
import type { Timers } from './timers.ts';

/** Reserves start times, one after the other over all processes. */
export interface Pace {
  /** Messages a second; a fraction is allowed. A long message counts once, since it is one request to the gateway. */
  readonly perSecond: number;
  /**
   * Reserves `count` start times at the rate; the first one is in `startsInMs`. When the next free one is later than `withinMs`,
   * reserves none and says when that is.
   */
  reserve(count: number, withinMs: number): Promise<Reservation>;
}

export interface Reservation {
  readonly granted: boolean;
  readonly startsInMs: number;
}

export interface StartTimes {
  /**
   * Milliseconds to the next start time; 0 means now, and it should be taken; null while it is not known: `changed` is called later.
   */
  nextInMs(waiting: number): number | null;
  /** Uses up the start time that is due. */
  take(): void;
  /** How long it is pointless to wait behind `waiting` others; 0: waiting may help. */
  fullForMs(waiting: number): number;
}

export interface StartTimesOptions {
  readonly pace: Pace;
  readonly withinMs: number;
  readonly timers: Timers;
  /** A start time was reserved. */
  readonly changed: () => void;
  /** No start time was free soon enough; the next one is this far away. */
  readonly refused: (startsInMs: number) => void;
}

/** One batch holds as many start times as fit into this time. Its last one may come later than asked by as much. */
const batchMs = 100;
/** A start time that was missed by more is lost: several late ones would go out at once. */
const lateAtMostMs = 100;
/** The pause after a failed reservation. */
const afterFailureMs = 1_000;

export function createStartTimes({
  pace,
  withinMs,
  timers,
  changed,
  refused,
}: StartTimesOptions): StartTimes {
  const intervalMs = 1_000 / pace.perSecond;
  const batch = Math.max(1, Math.floor(batchMs / intervalMs));
  const times: number[] = [];
  let isAsking = false;
  let fullUntilMs = 0;

  async function ask(count: number): Promise<void> {
    isAsking = true;
    try {
      const { granted, startsInMs } = await pace.reserve(count, withinMs);
      isAsking = false;
      if (granted) {
        const first = timers.nowMs() + startsInMs;
        for (let index = 0; index < count; index++) times.push(first + index * intervalMs);
        return changed();
      }
      fullUntilMs = timers.nowMs() + Math.max(startsInMs - withinMs, intervalMs / 2);
      refused(startsInMs);
    } catch {
      isAsking = false;
      fullUntilMs = timers.nowMs() + afterFailureMs;
      refused(afterFailureMs);
    }
  }

  return {
    nextInMs(waiting) {
      const nowMs = timers.nowMs();
      while (times[0] !== undefined && nowMs - times[0] > lateAtMostMs) times.shift();
      if (times[0] !== undefined) return Math.max(times[0] - nowMs, 0);
      if (!isAsking && waiting > 0) void ask(Math.min(waiting, batch));
      return null;
    },
    take: () => void times.shift(),
    fullForMs(waiting) {
      const nowMs = timers.nowMs();
      const soonestMs = Math.max((times[0] ?? nowMs) - nowMs, 0) + waiting * intervalMs;
      return Math.max(fullUntilMs - nowMs, soonestMs - withinMs, 0);
    },
  };
}
