/** Prometheus metrics of the limiters of this process. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { BreakerState } from './breaker.ts';
import type { GatewayLimiter } from './limiter.ts';

const states: Readonly<Record<BreakerState, number>> = { closed: 0, halfOpen: 1, open: 2 };

/** Registers the metrics; gauges are read at each scrape. */
export function measureLimiters(limiters: readonly GatewayLimiter[], registry: Registry): void {
  const registers = [registry];
  const labelNames = ['gateway'] as const;
  const gauge = (name: string, help: string, value: (limiter: GatewayLimiter) => number) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const limiter of limiters) this.set({ gateway: limiter.name }, value(limiter));
      },
    });
  gauge(
    'pitlane_gateway_in_flight',
    'Hand-overs and look-ups under way in this process',
    (limiter) => limiter.state().inFlight,
  );
  gauge(
    'pitlane_gateway_waiting',
    'Messages that wait for a permit of the gateway in this process',
    (limiter) => limiter.state().waiting,
  );
  gauge(
    'pitlane_gateway_breaker_state',
    'Whether messages go to the gateway: 0 yes, 1 one on trial, 2 no, or there is no connection',
    (limiter) => states[limiter.state().breaker],
  );
  const outcomes = new Counter({
    name: 'pitlane_gateway_outcomes_total',
    help: 'Messages of this process by the outcome of their hand-over',
    labelNames: ['gateway', 'outcome', 'reason'],
    registers,
  });
  const seconds = new Histogram({
    name: 'pitlane_gateway_send_seconds',
    help: 'Time of the hand-over to the gateway, without the wait for it',
    labelNames,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  for (const limiter of limiters) {
    const { name: gateway } = limiter;
    limiter.watch(({ outcome, reason, ms }) => {
      outcomes.inc({ gateway, outcome, reason });
      if (ms !== null) seconds.observe({ gateway }, ms / 1_000);
    });
  }
}
