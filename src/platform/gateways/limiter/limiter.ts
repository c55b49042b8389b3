/** Long because permits, rate and circuit breaker decide together. */
/**
 * The limiter of one gateway in one process. Every hand-over and look-up takes a permit: bounded concurrency, at the gateway's
 * rate, in order of arrival (but what yields goes last), after a short wait at most, and none while the circuit breaker is open.
 */
import { redactedGatewayText } from '#base/values/redacted-gateway-text.ts';
import { type BreakerPermit, type BreakerState, createBreaker, type Verdict } from './breaker.ts';
import { createStartTimes, type Pace } from './pace.ts';
import { systemTimers, type Timers } from './timers.ts';

export interface LimiterOptions {
  /** The gateway's name. */
  readonly name: string;
  /** How many hand-overs and look-ups may be in flight at once; 10 unless given. */
  readonly concurrency?: number;
  /** Null: no rate limit. */
  readonly pace?: Pace | null;
  readonly timers?: Timers;
  readonly random?: () => number;
  /** Called when the breaker opens, with the cause, and when it closes. A failed probe is not reported. */
  readonly breakerChanged?: (isOpen: boolean, detail: string) => void;
}

/** The right to use the gateway once; `end` gives it back, once. */
export interface Permit {
  /** `restMs`: the pause that the gateway asks for; `detail`: its text, for people. */
  end(verdict: Verdict, restMs?: number, detail?: string): void;
}

/** Why there is no permit: the gateway was certainly not called. */
export interface NoPermit {
  readonly why: 'open' | 'resting' | 'full' | 'aborted';
  /** When a retry is worthwhile. */
  readonly retryAfterMs: number;
}

export interface AcquireOptions {
  /** A look-up sends nothing: it does not use up the rate, and is no probe. */
  readonly use: 'send' | 'lookUp';
  readonly signal?: AbortSignal;
  /** Others that wait go first, also those that come later: of campaigns. */
  readonly yields?: boolean;
  /** `longestWaitMs` unless it is given. */
  readonly withinMs?: number;
}

export interface LimiterState {
  readonly gateway: string;
  readonly inFlight: number;
  readonly waiting: number;
  /** Also open while a gateway that keeps a connection has none. */
  readonly breaker: BreakerState;
}

/** One use of the gateway, one that did not happen, or the result of an earlier one. */
export interface Use {
  readonly outcome: 'accepted' | 'refused' | 'unknown' | 'notAsked' | 'delivered' | 'undelivered' | 'expired';
  /** Empty when it was accepted. */
  readonly reason: string;
  /** Duration of the hand-over without the wait; null when there was none. */
  readonly ms: number | null;
}

export interface GatewayLimiter {
  readonly name: string;
  readonly concurrency: number;
  /** Waits for a permit. Never rejects. */
  acquire(options: AcquireOptions): Promise<Permit | NoPermit>;
  /** How many messages may be in flight at once now, of those that yield or of all; 0 while no permits are given. */
  capacity(yielding?: boolean): number;
  /** How many are in flight or wait, by whether they yield. */
  load(): { readonly first: number; readonly yielding: number };
  /** How many more messages it takes: those in flight and those that wait are subtracted. */
  room(): number;
  /** Calls back whenever there may be more room than before. */
  watchRoom(watcher: () => void): void;
  state(): LimiterState;
  /** Says whether a gateway that keeps a connection has one. Until the first call it counts as connected. */
  connected(isConnected: boolean): void;
  nowMs(): number;
  /** Reports a use to the watchers. */
  report(use: Use): void;
  watch(watcher: (use: Use) => void): void;
}

const usualConcurrency = 10;
/** Leaves a hand-over enough of its own ten seconds. */
export const longestWaitMs = 3_000;
/** A longer pause that a gateway asks for is cut to this. */
const longestRestMs = 300_000;
/** Messages that wait for their time keep a place, so only those wait that leave within this time. */
const paceAheadMs = 2_000;
/** The same for those that yield: a few suffice to use up the rate. */
const yieldingAheadMs = 300;

interface Waiter extends Pick<AcquireOptions, 'use'> {
  readonly yields: boolean;
  readonly untilMs: number;
  readonly begin: () => void;
  readonly refuse: (why: NoPermit['why'], retryAfterMs: number) => void;
}

export function createLimiter(options: LimiterOptions): GatewayLimiter {
  const {
    name,
    concurrency = usualConcurrency,
    pace = null,
    timers = systemTimers,
    random = Math.random,
    breakerChanged,
  } = options;
  const { nowMs } = timers;
  const breaker = createBreaker({ nowMs, random });
  const waiting = new Set<Waiter>();
  const watchers: ((use: Use) => void)[] = [];
  const roomWatchers: (() => void)[] = [];
  let inFlight = 0;
  let inFlightYielding = 0;
  let isConnected = true;
  let restsUntilMs = 0;
  let cancelWake: () => void = () => undefined;
  const startTimes =
    pace === null
      ? null
      : createStartTimes({
          pace,
          withinMs: longestWaitMs,
          timers,
          changed: advance,
          refused: (startsInMs) => refuseAll('full', startsInMs, ({ use }) => use === 'send'),
        });

  const restsForMs = () => Math.max(restsUntilMs - nowMs(), 0);

  function refuseAll(why: NoPermit['why'], retryAfterMs: number, which = (_: Waiter) => true): void {
    for (const waiter of [...waiting].filter(which)) waiter.refuse(why, retryAfterMs);
    // The next in the queue may go now.
    advance();
  }

  function firstWaiting(): Waiter | undefined {
    for (const waiter of waiting) if (!waiter.yields) return waiter;
    const [first] = waiting;
    return first;
  }

  /** Gives permits to the queue, in order of arrival; what yields goes last. */
  function advance(): void {
    cancelWake();
    for (;;) {
      const next = firstWaiting();
      if (next === undefined || inFlight >= concurrency) return;
      if (next.use === 'send') {
        const startsInMs = restsForMs() || (startTimes === null ? 0 : startTimes.nextInMs(waiting.size));
        if (startsInMs === null) return;
        if (startsInMs > 0) {
          cancelWake = timers.after(startsInMs, advance);
          return;
        }
        startTimes?.take();
      }
      inFlight++;
      if (next.yields) inFlightYielding++;
      next.begin();
    }
  }

  const stateNow = (): BreakerState => (isConnected ? breaker.state() : 'open');

  function judge(breakerPermit: BreakerPermit, verdict: Verdict, detail: string): void {
    const wasClosed = breaker.state() === 'closed';
    const opened = breaker.settle(breakerPermit, verdict);
    const isClosed = breaker.state() === 'closed';
    if (wasClosed !== isClosed) breakerChanged?.(!isClosed, redactedGatewayText(detail));
    if (opened) refuseAll('open', breaker.opensInMs());
  }

  function permit(breakerPermit: BreakerPermit | null, yields: boolean): Permit {
    let isHeld = true;
    return {
      end(verdict, restMs = 0, detail = '') {
        if (!isHeld) return;
        isHeld = false;
        inFlight--;
        if (yields) inFlightYielding--;
        if (breakerPermit !== null) judge(breakerPermit, verdict, detail);
        if (restMs > 0) rest(Math.min(restMs, longestRestMs));
        advance();
        for (const watcher of roomWatchers) watcher();
      },
    };
  }

  function rest(restMs: number): void {
    restsUntilMs = Math.max(restsUntilMs, nowMs() + restMs);
    refuseAll('resting', restMs, ({ use, untilMs }) => use === 'send' && untilMs < restsUntilMs);
  }

  /** Why waiting is pointless. */
  function closed(use: AcquireOptions['use'], withinMs: number): NoPermit | null {
    if (breaker.state() === 'open') return { why: 'open', retryAfterMs: breaker.opensInMs() };
    if (use === 'lookUp') return null;
    if (restsForMs() > withinMs) return { why: 'resting', retryAfterMs: restsForMs() };
    const fullForMs = startTimes?.fullForMs(waiting.size) ?? 0;
    return fullForMs > 0 ? { why: 'full', retryAfterMs: fullForMs } : null;
  }

  function load() {
    const waitingYielding = [...waiting].filter(({ yields }) => yields).length;
    const yielding = inFlightYielding + waitingYielding;
    return { first: inFlight + waiting.size - yielding, yielding };
  }

  function capacity(yielding = false): number {
    const state = stateNow();
    if (state === 'open' || restsForMs() > 0 || (startTimes?.fullForMs(0) ?? 0) > 0) return 0;
    if (state === 'halfOpen') return 1;
    if (pace === null) return concurrency;
    const aheadMs = yielding ? yieldingAheadMs : paceAheadMs;
    return Math.min(concurrency, Math.max(1, Math.ceil((pace.perSecond * aheadMs) / 1_000)));
  }

  return {
    name,
    concurrency,
    capacity,
    load,
    room: () => Math.max(capacity() - inFlight - waiting.size, 0),
    watchRoom: (watcher) => void roomWatchers.push(watcher),

    acquire({ use, signal, yields = false, withinMs = longestWaitMs }) {
      if (signal?.aborted) return Promise.resolve({ why: 'aborted', retryAfterMs: 0 });
      const refusal = closed(use, withinMs);
      if (refusal !== null) return Promise.resolve(refusal);
      const breakerPermit = use === 'send' ? breaker.tryAcquire() : null;
      if (use === 'send' && breakerPermit === null) {
        return Promise.resolve({ why: 'open', retryAfterMs: breaker.opensInMs() });
      }
      return new Promise((resolve) => {
        function leave(result: Permit | NoPermit): void {
          waiting.delete(waiter);
          cancelTimeOut();
          signal?.removeEventListener('abort', giveUp);
          resolve(result);
        }
        const waiter: Waiter = {
          use,
          yields,
          untilMs: nowMs() + withinMs,
          begin: () => leave(permit(breakerPermit, yields)),
          refuse(why, retryAfterMs) {
            if (breakerPermit !== null) breaker.settle(breakerPermit, 'none');
            leave({ why, retryAfterMs });
          },
        };
        const only = (other: Waiter) => other === waiter;
        const giveUp = () => refuseAll('aborted', 0, only);
        const cancelTimeOut = timers.after(withinMs, () => refuseAll('full', longestWaitMs, only));
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.add(waiter);
        advance();
      });
    },

    state: () => ({ gateway: name, inFlight, waiting: waiting.size, breaker: stateNow() }),
    connected(isThere) {
      isConnected = isThere;
      for (const watcher of roomWatchers) watcher();
    },
    nowMs,
    report(use) {
      for (const watcher of watchers) watcher(use);
    },
    watch: (watcher) => void watchers.push(watcher),
  };
}
