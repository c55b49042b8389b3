/** The free times of a workshop, for at most seven days (areas, section 2). */
import type { ServiceCategory } from '#catalogue/categories.ts';
import type { Context } from '#context.ts';
import { invalidFields } from '#errors.ts';
import { isId } from '#values/id.ts';
import { formatInstant } from '#values/instant.ts';
import { addDays, clockTimeAt, dateAt, daysBetween } from '#values/local-day.ts';
import { requireLink } from '#workshops/access/gate.ts';
import { type DayPlan, planDay } from './day.ts';
import { closedReason, type Question, startsOf } from './offer.ts';
import type { AvailabilityAnswer, AvailabilityDay } from './schema.ts';
import { readSchedule, readUsage } from './store.ts';
import { nothingUsed, usageOf } from './usage.ts';
import { type WishedService, wishFor } from './wish.ts';

const daysAtMost = 7;

export interface AvailabilityQuery {
  readonly partnerId: string;
  readonly workshopId: string;
  /** Local dates `YYYY-MM-DD`, both included. */
  readonly from?: string;
  readonly to?: string;
  readonly serviceCategory?: ServiceCategory;
  readonly catalogId?: string;
  /** Several services together, in place of `catalogId`. */
  readonly services?: readonly WishedService[];
  readonly explain?: boolean;
}

/** Throws 400 000001, 404 030001, 403 000004. */
export async function readAvailability(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  query: AvailabilityQuery,
): Promise<AvailabilityAnswer> {
  const { partnerId, workshopId, serviceCategory = null, catalogId, explain = false } = query;
  if (query.from !== undefined) checkRange(query.from, query.to);
  const now = clock.now().getTime();
  // Wherever the workshop is, its local date is that of UTC, or the day before or after.
  const earliest = query.from ?? addDays(dateAt(now, 'UTC'), -1);
  const latest = addDays(query.from ?? dateAt(now, 'UTC'), daysAtMost);
  const serviceId = catalogId !== undefined && isId(catalogId) ? catalogId.toLowerCase() : null;
  const range = { from: earliest, to: latest };
  const found = isId(workshopId)
    ? await readSchedule(db, { partnerId, workshopId, ...range, serviceId })
    : null;
  requireLink(found);
  const { schedule, limits, service, enforced } = found;

  const from = query.from ?? dateAt(now, schedule.timezone);
  const to = query.to ?? addDays(from, daysAtMost - 1);
  checkRange(from, to);
  if (catalogId !== undefined && service === null)
    throw invalidFields([{ field: 'catalogId', message: 'is not a service that this workshop offers' }]);

  const wish = wishFor(query.services ?? (service === null ? [] : [service]), serviceCategory, limits);
  const plans = Array.from({ length: daysBetween(from, to) + 1 }, (_, n) =>
    planDay(schedule, addDays(from, n)),
  );
  // Of what is past nothing is offered, whatever was booked. A closed day in between has bookings of its own.
  const isAhead = ({ open, closesAt }: DayPlan) => open && closesAt > now;
  const days = plans.slice(plans.findIndex(isAhead), plans.findLastIndex(isAhead) + 1).map(({ day }) => day);
  const used =
    days.length === 0
      ? nothingUsed
      : await readUsage(db, { workshopId, days, limits: wish.limits, limited: limits.services });
  const question = { schedule, wish, usage: usageOf(used), now };
  return {
    success: true,
    workshopId: workshopId.toLowerCase(),
    timezone: schedule.timezone,
    slotMinutes: schedule.slotMinutes,
    enforced,
    days: plans.map((plan) => dayAnswer(question, plan, explain)),
  };
}

function checkRange(from: string, to: string | undefined): void {
  if (to === undefined) return;
  const days = daysBetween(from, to) + 1;
  if (days < 1) throw invalidFields([{ field: 'to', message: `must not be before ${from}` }]);
  if (days > daysAtMost)
    throw invalidFields([{ field: 'to', message: `must be at most ${daysAtMost - 1} days after ${from}` }]);
}

/** A day as partners and pages get it. */
export function dayAnswer(question: Question, plan: DayPlan, explain: boolean): AvailabilityDay {
  const { day, open, openingTime, closingTime, note } = plan;
  const at = (time: number) => ({
    time: formatInstant(new Date(time)),
    localTime: clockTimeAt(day, time),
  });
  const starts = open ? startsOf(question, plan) : [];
  const closed = open ? [] : [{ time: null, localTime: null, reason: closedReason(plan) }];
  return {
    date: day.date,
    open,
    openingTime,
    closingTime,
    note,
    slots: starts.flatMap((start) =>
      'remaining' in start ? [{ ...at(start.time), remaining: start.remaining }] : [],
    ),
    pickupTimes: plan.pickupTimes.map(at),
    unavailable: explain
      ? [
          ...closed,
          ...starts.flatMap((start) =>
            'reason' in start ? [{ ...at(start.time), reason: start.reason }] : [],
          ),
        ]
      : [],
  };
}
