/** The texts of a day's times. */
import { formatInstant } from '#base/values/instant.ts';
import { clockTimeAt } from '#base/values/local-day.ts';
import type { DayPlan } from './day.ts';

interface WireTime {
  readonly time: string;
  readonly localTime: string;
}

/** Cached with the plan of the day: a week has hundreds of times. */
const wireTimes = new WeakMap<DayPlan, Map<number, WireTime>>();

/** An instant of the day in the form for responses. */
export function wireTimeAt(plan: DayPlan, time: number): WireTime {
  const known = wireTimes.get(plan) ?? new Map<number, WireTime>();
  if (known.size === 0) wireTimes.set(plan, known);
  let shown = known.get(time);
  if (shown === undefined) {
    shown = { time: formatInstant(new Date(time)), localTime: clockTimeAt(plan.day, time) };
    known.set(time, shown);
  }
  return shown;
}
