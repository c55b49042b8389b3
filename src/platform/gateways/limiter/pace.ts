/** A gateway's rate: slots at which one message each may start, reserved in small batches among all processes. */
import type { Timers } from './timers.ts';

/** Reserves slots, one after the other over all processes. */
export interface Pace {
  /** Messages a second; a fraction is allowed. A long message counts once, since it is one request to the gateway. */
  readonly perSecond: number;
  /**
   * Reserves `count` slots at the rate; the first one is in `startsInMs`. When the next free slot is later than `withinMs`,
   * reserves none and says when that slot is.
   */
  reserve(count: number, withinMs: number): Promise<Reservation>;
}

export interface Reservation {
  readonly granted: boolean;
  readonly startsInMs: number;
}

export interface Slots {
  /**
   * Milliseconds to the next slot; 0 means now, and it should be taken; null while it is not known: `changed` is called later.
   */
  nextInMs(waiting: number): number | null;
  /** Uses up the slot that is due. */
  take(): void;
  /** How long it is pointless to wait behind `waiting` others; 0: waiting may help. */
  fullForMs(waiting: number): number;
}

export interface SlotsOptions {
  readonly pace: Pace;
  readonly withinMs: number;
  readonly timers: Timers;
  /** A slot was reserved. */
  readonly changed: () => void;
  /** No slot was free soon enough; the next one is this far away. */
  readonly refused: (startsInMs: number) => void;
}

/** One batch holds as many slots as fit into this time. Its last slot may come later than asked by as much. */
const batchMs = 100;
/** A slot that was missed by more is lost: several late ones would go out at once. */
const lateAtMostMs = 100;
/** The pause after a failed reservation. */
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
