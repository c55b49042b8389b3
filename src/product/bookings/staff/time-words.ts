/** The conflict of a time in words that name its day, for staff: `Closed on Sundays`, `4 of 3 bays`. */
import { capital } from '#base/values/sentence.ts';
import type { Reason } from '#base/values/unavailable.ts';
import { weekdayOf } from '#base/values/weekday.ts';
import type { Queryable } from '#platform/db/database.ts';
import { listBlocks } from '#product/availability/blocks/store.ts';
import type { DayPlan } from '#product/availability/day.ts';
import { type Place, usageOfPlace } from '#product/availability/places/place.ts';
import { isPastDay, type KnownRules } from '#product/availability/places/rules.ts';
import { readUsage } from '#product/availability/store.ts';
import { usageOf } from '#product/availability/usage.ts';

export interface AgainstTime {
  readonly workshopId: string;
  readonly rules: KnownRules;
  readonly reason: Reason;
  readonly at: Date;
  /** The place that it would occupy; null: none. */
  readonly place: Place | null;
  /** The place that it occupies already. */
  readonly own: Place | null;
  readonly now: Date;
}

/** Without a full stop. Null: bays are free by now. */
export async function timeInWords(db: Queryable, against: AgainstTime): Promise<string | null> {
  const { rules, reason, at, now } = against;
  const plan = rules.dayOf(at.getTime());
  const { leadTimeMinutes, horizonDays } = rules.schedule;
  switch (reason) {
    case 'closed':
    case 'custom':
      return hoursInWords(plan, at);
    case 'break':
      return 'In a break of that day';
    case 'past':
      return isPastDay(rules, at, now) ? 'That day is past' : 'That time has begun already';
    case 'leadTime':
      return `At shorter notice than ${lasting(leadTimeMinutes)}`;
    case 'horizon':
      return `Further ahead than ${counted(horizonDays, 'day')}`;
    case 'serviceLimit':
      return 'Over the daily limit of this service';
    case 'categoryLimit':
      return 'Over the daily limit of this category';
    case 'full':
      return baysInWords(db, against, plan);
  }
}

/** The whole day is closed, past or too far ahead, whatever the time. */
export const isOfWholeDay = ({ rules, reason, at, now }: Omit<AgainstTime, 'place' | 'own'>): boolean =>
  reason === 'horizon' ||
  (reason === 'past' && isPastDay(rules, at, now)) ||
  ((reason === 'closed' || reason === 'custom') && !rules.dayOf(at.getTime()).open);

function hoursInWords({ day, open, isCustom, note, opensAt, closesAt, ...plan }: DayPlan, at: Date): string {
  const named = note === null ? '' : `: ${note}`;
  if (!open) return isCustom ? `Closed that day${named}` : `Closed on ${capital(weekdayOf(day.date))}s`;
  const isOpen = at.getTime() >= opensAt && at.getTime() < closesAt;
  if (isOpen && !isCustom) return `Not done by closing time, ${plan.closingTime}`;
  return `Open ${plan.openingTime} to ${plan.closingTime} that day${isCustom ? named : ''}`;
}

/** At the busiest moment of its place: how many bookings there are with it, and how many bays. */
async function baysInWords(
  db: Queryable,
  { workshopId, rules, place, own }: AgainstTime,
  { day, slots, bays }: DayPlan,
): Promise<string | null> {
  if (place === null) return null;
  const [from, until] = [place.occupiedFrom, place.occupiedUntil].map((at) => at.getTime()) as [
    number,
    number,
  ];
  const [used, listed] = await Promise.all([
    readUsage(db, { workshopId, days: [day], limits: [], limited: rules.limits.services }),
    listBlocks(db, workshopId, place.occupiedFrom),
  ]);
  const usage = usageOf(used);
  const ownUsage = own && usageOfPlace(own, day.date, rules.limits);
  const blocks = listed.filter((block) => block.from.getTime() < until);
  const whole = blocks.find((block) => block.bays === null);
  if (whole !== undefined) return `Closed then: ${whole.reason}`;
  const loads = slots
    .filter(({ start, end }) => start < until && end > from)
    .map(({ start, end }) => {
      const closed = blocks
        .filter((block) => block.from.getTime() < end && block.until.getTime() > start)
        .reduce((sum, block) => sum + (block.bays ?? 0), 0);
      const others = usage.overlapping(start, end) - closed - (ownUsage?.overlapping(start, end) ?? 0);
      return { booked: others + 1, left: Math.max(0, bays - closed) };
    });
  const over = loads.toSorted((a, b) => b.booked - b.left - (a.booked - a.left))[0];
  if (over === undefined || over.booked <= over.left) return null;
  return `${over.booked} of ${counted(over.left, 'bay')}`;
}

function lasting(minutes: number): string {
  if (minutes % 1_440 === 0) return counted(minutes / 1_440, 'day');
  return minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute');
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
