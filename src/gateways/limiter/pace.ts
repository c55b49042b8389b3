/** A gateway's rate: times at which one message each may start, reserved with all other processes in small batches. */
import type { Timers } from './timers.ts';

/** Where times are reserved, one after the other over all processes. */
export interface Pace {
  /** Messages a second; a fraction is allowed. A long message counts once, as it is one for the gateway. */
  readonly perSecond: number;
  /**
   * Reserves `count` times, the rate apart, of which the first comes in `startsInMs`. Reserves none, and says when the next
   * is free, when that is later than `withinMs`.
   */
  reserve(count: number, withinMs: number): Promise<Reservation>;
}

export interface Reservation {
  readonly granted: boolean;
  readonly startsInMs: number;
}

export interface Slots {
  /** Milliseconds to the next time; null when it is not known yet: `changed` will be called. 0 means now, to be taken. */
  nextInMs(waiting: number): number | null;
  /** Uses up the time that has come. */
  take(): void;
  /** For how long it is pointless to wait behind so many others; 0: it may be soon enough. */
  fullForMs(waiting: number): number;
}

export interface SlotsOptions {
  readonly pace: Pace;
  readonly withinMs: number;
  readonly timers: Timers;
  /** A time was reserved. */
  readonly changed: () => void;
  /** None was to be had; the next is so far away. */
  readonly refused: (startsInMs: number) => void;
}

/** What is reserved at once: as much as passes in this time. Its last time may begin by as much later than asked for. */
const batchMs = 100;
/** A time that was missed by more is lost: used late, several would go out at once. */
const lateAtMostMs = 100;
/** After a reservation that failed. */
const afterFailureMs = 1_000;

export function createSlots({ pace, withinMs, timers, changed, refused }: SlotsOptions): Slots {
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
