/** The free times of a workshop on some days. */

import { isId } from '#base/values/id.ts';
import { addDays, dateAt, daysBetween, type LocalDay } from '#base/values/local-day.ts';
import { invalidFields, type Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import type { ServiceCategory } from '#product/catalogue/categories.ts';
import { knownOffer, refreshOffer } from '#product/catalogue/offer.ts';
import { requireLink, requireLinked } from '#product/workshops/access/gate.ts';
import { isBusy, noteUsage } from './busy.ts';
import type { DayPlan } from './day.ts';
import { closedReason, type Question, startsOf } from './offer.ts';
import { type KnownRules, knownRules, refreshRules } from './places/rules.ts';
import type { AvailabilityAnswer, AvailabilityDay } from './schema.ts';
import { readUsageFor } from './store.ts';
import { usageOf } from './usage.ts';
import { wireTimeAt } from './wire-time.ts';
import { type Wish, type WishedService, wishFor } from './wish.ts';

/** The limit of the API. */
const daysAtMost = 7;

export interface AvailabilityQuery {
  /** Null: the workshop itself, which needs no link. */
  readonly partnerId: string | null;
  readonly workshopId: string;
  /** Local dates `YYYY-MM-DD`, both included. Without `to`: seven days from `from`. */
  readonly from?: string;
  readonly to?: string;
  /** Default seven. */
  readonly daysAtMost?: number;
  readonly serviceCategory?: ServiceCategory;
  readonly catalogId?: string;
  /** Several services together, instead of `catalogId`. */
  readonly services?: readonly WishedService[];
  readonly explain?: boolean;
}

/** The queries and the data of the response, from the cached rules. */
interface Asked {
  readonly rules: KnownRules;
  /** The versions of the rules and the catalogue; if they differ, one of them is outdated. */
  readonly versions: ReadonlySet<number>;
  readonly plans: readonly DayPlan[];
  readonly days: readonly [LocalDay, ...LocalDay[]];
  readonly wish: Wish;
  /** Thrown if the cached rules turn out to be current. */
  readonly fault: Problem | null;
}

const attemptsAtMost = 4;

/**
 * One round trip: schedule and catalogue are cached, and their version is read beside the bookings. With an outdated version it is
 * repeated. Throws 400 000001, 404 030001, 403 000004.
 */
export async function readAvailability(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  query: AvailabilityQuery,
): Promise<AvailabilityAnswer> {
  if (query.from !== undefined) checkRange(query.from, query);
  const { partnerId, explain = false } = query;
  const workshopId = query.workshopId.toLowerCase();
  const now = clock.now().getTime();
  for (let attempt = 1; ; attempt++) {
    const asked = await ask(db, { ...query, workshopId }, now, attempt > 1);
    requireLinked(asked);
    const { rules, versions, plans, days, wish } = asked;
    const needed = { workshopId, days, limits: wish.limits, limited: rules.limits.services };
    const found = await readUsageFor(db, partnerId, needed, isBusy(db, workshopId));
    const { linkActive, version, usage } = found;
    requireLink(linkActive === null ? null : { linkActive });
    const isCurrent = versions.size === 1 && versions.has(version);
    // If the set-up changes constantly, the version just read is used after some attempts.
    if (!isCurrent && attempt < attemptsAtMost) continue;
    if (asked.fault !== null) throw asked.fault;
    noteUsage(db, workshopId, usage);
    const { schedule, enforced } = rules;
    const question = { schedule, wish, usage: usageOf(usage), now };
    return {
      success: true,
      workshopId,
      timezone: schedule.timezone,
      slotMinutes: schedule.slotMinutes,
      enforced,
      days: plans.map((plan) => dayAnswer(question, plan, explain)),
    };
  }
}

/** Null when there is no such workshop. */
async function ask(
  db: Database,
  { workshopId, catalogId, serviceCategory, ...query }: AvailabilityQuery,
  now: number,
  isRepeat: boolean,
): Promise<Asked | null> {
  if (!isId(workshopId)) return null;
  const [rules, offer] = await Promise.all([
    (isRepeat ? refreshRules : knownRules)(db, workshopId),
    catalogId === undefined ? null : (isRepeat ? refreshOffer : knownOffer)(db, workshopId),
  ]);
  if (rules === null) return null;
  const service = catalogId === undefined ? undefined : offer?.byId.get(catalogId.toLowerCase());
  const wished = service && {
    ...{ id: service._id, category: service.category },
    durationMinutes: service.durationMinutes ?? 0,
  };
  const from = query.from ?? dateAt(now, rules.schedule.timezone);
  const to = query.to ?? addDays(from, daysAtMost - 1);
  const count = Math.min(daysBetween(from, to) + 1, query.daysAtMost ?? daysAtMost);
  const plans = Array.from({ length: count }, (_, n) => rules.dayOn(addDays(from, n)));
  // Past days offer nothing, so their bookings are not read. A closed day in between can have bookings.
  const isAhead = ({ open, closesAt }: DayPlan) => open && closesAt > now;
  const ahead = plans.slice(plans.findIndex(isAhead), plans.findLastIndex(isAhead) + 1);
  const [first = rules.dayOn(from), ...others] = ahead;
  const isUnknown = catalogId !== undefined && service === undefined;
  return {
    rules,
    versions: new Set([rules.version, ...(offer === null ? [] : [offer.version])]),
    plans,
    days: [first.day, ...others.map(({ day }) => day)],
    wish: wishFor(query.services ?? (wished ? [wished] : []), serviceCategory ?? null, rules.limits),
    fault: rangeFault(from, to, query) ?? (isUnknown ? unknownService() : null),
  };
}

const unknownService = () =>
  invalidFields([{ field: 'catalogId', message: 'is not a service that this workshop offers' }]);

type Range = Pick<AvailabilityQuery, 'to' | 'daysAtMost'>;

function checkRange(from: string, range: Range): void {
  const fault = range.to === undefined ? null : rangeFault(from, range.to, range);
  if (fault !== null) throw fault;
}

function rangeFault(from: string, to: string, { daysAtMost: most = daysAtMost }: Range): Problem | null {
  const days = daysBetween(from, to) + 1;
  if (days < 1) return invalidFields([{ field: 'to', message: `must not be before ${from}` }]);
  if (days > most)
    return invalidFields([{ field: 'to', message: `must be at most ${most - 1} days after ${from}` }]);
  return null;
}

/** A day in the form for partners and pages. */
export function dayAnswer(question: Question, plan: DayPlan, explain: boolean): AvailabilityDay {
  const { day, open, openingTime, closingTime, note } = plan;
  const at = (time: number) => wireTimeAt(plan, time);
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
