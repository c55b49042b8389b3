/** Takes a place: the checks before the write; the database decides at the write (specification: Availability 7). */

import { addDays, localDay } from '#base/values/local-day.ts';
import type { Reason } from '#base/values/unavailable.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requireLink } from '#product/workshops/access/gate.ts';
import {
  alternativeDays,
  alternativesAfter,
  limitAgainst,
  type Question,
  reasonAgainst,
  reasonAgainstLonger,
  reasonTaken,
} from '../offer.ts';
import { readUsage } from '../store.ts';
import { nothingUsed, type UsageRows, usageOf } from '../usage.ts';
import { OutdatedRules } from './again.ts';
import {
  type Enforce,
  heldTo,
  isSamePlace,
  type Need,
  noPlace,
  type Place,
  type PlaceColumns,
  placeFor,
  usageOfPlace,
  wishOf,
} from './place.ts';
import { noPlaceProblem } from './refuse.ts';
import type { KnownRules } from './rules.ts';
import { readGround } from './store.ts';

export interface Taking extends Need {
  readonly workshopId: string;
  /** The partner whose link is checked first; null: it was checked, or there is no partner. */
  readonly partnerId: string | null;
  readonly enforce: Enforce;
  /** The place that it has already. */
  readonly own: Place | null;
  /** It had this place until a moment ago, and gets it back unless others have it now: nothing else is checked. */
  readonly comesBack?: boolean;
  /** It was found free under these rules a moment ago, and is not looked for again. */
  readonly isFree?: boolean;
  /** Queries the usage only if the rules alone refuse; otherwise the database refuses a write that does not fit. */
  readonly optimistic?: boolean;
}

/**
 * The columns of the place that a booking takes. Throws 404 030001, 403 000004, 409 060003 with its reason and alternatives, and
 * OutdatedRules. A booking with a past date, or one that keeps its place, is never refused.
 */
export async function takePlace(
  db: Queryable,
  now: Date,
  rules: KnownRules,
  taking: Taking,
): Promise<PlaceColumns> {
  const place = placeFor(rules, taking, taking.own);
  if (place === null) return noPlace;
  const { workshopId, partnerId, date, own, comesBack = false } = taking;
  const wish = wishOf(rules, taking);
  const isUnbound = date < now || isSamePlace(place, own);
  const to = isUnbound ? null : heldTo(rules, wish, taking.enforce);
  const columns = { ...place, placeVersion: rules.version, heldTo: to };
  if (to === null || taking.isFree) return columns;

  const [at, from] = [date.getTime(), place.occupiedFrom.getTime()];
  // A place belongs to the day on which it begins, as in the database. After a change of the time zone, that may not be the day of
  // the booking's date.
  const { day } = rules.dayOf(from);
  const ownUsage = own && usageOfPlace(own, rules.dayOf(own.occupiedFrom.getTime()).day.date, rules.limits);
  const questionFor = (used: UsageRows): Question => ({
    ...{ schedule: rules.schedule, dayOn: rules.dayOn, wish, usage: usageOf(used), now: now.getTime() },
    ...(ownUsage && { own: ownUsage }),
  });
  const asked = { at, date: day.date, place, own, comesBack };
  if (taking.optimistic === true && reasonFor(to, questionFor(nothingUsed), asked) === null) return columns;

  const ground = await readGround(db, { workshopId, partnerId, startsAt: new Date(day.start) });
  if (partnerId !== null) requireLink(linkOf(ground));
  if (ground?.version !== rules.version) throw new OutdatedRules(workshopId, null);

  const question = async (days: number): Promise<Question> => {
    const dates = Array.from({ length: days }, (_, n) => localDay(addDays(day.date, n), day.timezone));
    const { limits } = wish;
    return questionFor(
      await readUsage(db, { workshopId, days: dates, limits, limited: rules.limits.services }),
    );
  };
  const reason = reasonFor(to, await question(1), asked);
  if (reason !== null) {
    throw noPlaceProblem(reason, alternativesAfter(await question(alternativeDays + 1), from));
  }
  if (!ground.hasDay) throw new OutdatedRules(workshopId, place.occupiedFrom);
  return columns;
}

const linkOf = (ground: { readonly linkActive: boolean | null } | null) =>
  ground === null || ground.linkActive === null ? null : { linkActive: ground.linkActive };

interface Asked {
  readonly at: number;
  /** The local date of its place. */
  readonly date: string;
  readonly place: Place;
  readonly own: Place | null;
  readonly comesBack: boolean;
}

/** A booking that keeps its start may keep it even if the hours have changed: only its additional time is checked. */
function reasonFor(
  to: 'slots' | 'limits',
  question: Question,
  { at, date, place, own, comesBack }: Asked,
): Reason | null {
  if (to === 'limits') return limitAgainst(question, date);
  const [from, until] = [place.occupiedFrom.getTime(), place.occupiedUntil.getTime()];
  if (comesBack) return reasonTaken(question, { from, until });
  if (own === null || own.occupiedFrom.getTime() !== from) return reasonAgainst(question, at);
  return own.occupiedUntil.getTime() < until
    ? reasonAgainstLonger(question, { from, until })
    : limitAgainst(question, date);
}
