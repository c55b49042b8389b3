/** The free times to which a booking can be moved: its own usage counts as free. */

import { addDays, daysBetween } from '#base/values/local-day.ts';
import type { Context } from '#platform/context.ts';
import { planDay } from '../day.ts';
import type { Question } from '../offer.ts';
import { dayAnswer } from '../read.ts';
import type { AvailabilityDay } from '../schema.ts';
import { readUsage } from '../store.ts';
import { usageOf } from '../usage.ts';
import { type Need, type Place, usageOfPlace, wishOf } from './place.ts';
import { freshRules } from './rules.ts';

export interface Move {
  readonly workshopId: string;
  readonly need: Need;
  /** Null: it has no place yet. */
  readonly own: Place | null;
}

/**
 * The days from one local date to another, both included, in the form of availabilities. The booking exists, so its workshop does.
 */
export async function readMoveDays(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { workshopId, need, own }: Move,
  from: string,
  to: string,
): Promise<AvailabilityDay[]> {
  const rules = await freshRules(db, workshopId);
  if (rules === null) return [];
  const { schedule, limits } = rules;
  const wish = wishOf(rules, need);
  const plans = Array.from({ length: daysBetween(from, to) + 1 }, (_, n) =>
    planDay(schedule, addDays(from, n)),
  );
  const used = await readUsage(db, {
    ...{ workshopId, days: plans.map(({ day }) => day) },
    ...{ limits: wish.limits, limited: limits.services },
  });
  const question: Question = {
    ...{ schedule, wish, usage: usageOf(used), now: clock.now().getTime() },
    ...(own && { own: usageOfPlace(own, rules.dayOf(own.occupiedFrom.getTime()).day.date, limits) }),
  };
  return plans.map((plan) => dayAnswer(question, plan, false));
}
