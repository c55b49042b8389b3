/** Upcoming bookings that lie outside the hours of their workshop, as after a change of its set-up. */
import { dateAt } from '#base/values/local-day.ts';
import type { Queryable } from '#platform/db/database.ts';
import { type DayPlan, holds, planDay } from '../day.ts';
import { readRules } from '../places/store.ts';
import { type Upcoming, upcomingAfter, upcomingAtOnce } from './store.ts';

export interface OutsideHours {
  readonly count: number;
  /** The codes of the earliest ones, in order. */
  readonly codes: readonly string[];
}

const codesAtMost = 5;

/** Those that are pending or confirmed and begin at `now` or later, when the workshop is closed (specification: Setting up a workshop 5). */
export async function readOutsideHours(
  db: Queryable,
  { workshopId, now }: { readonly workshopId: string; readonly now: Date },
): Promise<OutsideHours> {
  const rules = await readRules(db, workshopId);
  if (rules === null) throw new Error('the workshop has disappeared');
  const { schedule } = rules;
  const codes: string[] = [];
  let count = 0;
  let plan: DayPlan | null = null;
  for (let last: Upcoming | null = null; ; ) {
    const bookings: Upcoming[] = await upcomingAfter(db, { workshopId, from: now, last });
    for (const { code, date } of bookings) {
      const at = date.getTime();
      if (plan === null || !holds(plan.day, at)) plan = planDay(schedule, dateAt(at, schedule.timezone));
      if (plan.spans.some((span) => holds(span, at))) continue;
      count++;
      if (codes.length < codesAtMost) codes.push(code);
    }
    last = bookings.at(-1) ?? null;
    if (last === null || bookings.length < upcomingAtOnce) return { count, codes };
  }
}
