/**
 * The conflicts of a time, for staff: closed, past, full. It is a warning when the workshop enforces nothing; otherwise, and in a form
 * for a day that is past, staff must book anyway (specification: The workshop's own bookings 9).
 */

import { parseInstant } from '#base/values/instant.ts';
import { formatLocalTime } from '#base/values/local-time.ts';
import type { Reason } from '#base/values/unavailable.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import type { Queryable } from '#platform/db/database.ts';
import { OutdatedRules, PlaceTaken } from '#product/availability/places/again.ts';
import {
  isSamePlace,
  type Need,
  type Place,
  placeFor,
  storedPlace,
} from '#product/availability/places/place.ts';
import { placeRefusalIn, reasonInWords } from '#product/availability/places/refuse.ts';
import { freshRules, isPastDay, type KnownRules } from '#product/availability/places/rules.ts';
import { takePlace } from '#product/availability/places/take.ts';
import { readPlacedBooking } from '../change/store.ts';
import { isOfWholeDay, timeInWords } from './time-words.ts';

export interface Conflict {
  readonly reason: Reason;
  /** Free times, RFC 3339. */
  readonly alternatives: readonly string[];
  /** `The workshop is closed then; free next: 2030-03-04 09:30`. */
  readonly text: string;
  /** `Closed on Sundays`, for forms. */
  readonly said: string;
  /** Every time of that day conflicts. */
  readonly isWholeDay: boolean;
  /** The change is refused unless staff give a reason to book anyway. */
  readonly isEnforced: boolean;
}

interface Asked {
  readonly workshopId: string;
  readonly need: Need;
  /** The present place of the booking. */
  readonly own: Place | null;
  /** Whether a day that is past is refused also where nothing is enforced. */
  readonly asksPastDay: boolean;
}

/** The parts of a conflict that `unlessConflicting` needs. */
type Enforced = Pick<Conflict, 'reason' | 'alternatives' | 'text' | 'isEnforced'>;

/** Null: no conflict, no such workshop, or a date that no booking may have, which the write refuses. */
export const findConflict = async (db: Queryable, now: Date, asked: Asked): Promise<Conflict | null> =>
  (await judgePlace(db, now, asked)).conflict;

export interface JudgedPlace {
  readonly conflict: Conflict | null;
  /** The rules that it is free under, so that the write need not look again; null: that is not known. */
  readonly free: KnownRules | null;
}

export const notJudged: JudgedPlace = { conflict: null, free: null };

export async function judgePlace(db: Queryable, now: Date, asked: Asked): Promise<JudgedPlace> {
  const { workshopId, need, own, asksPastDay } = asked;
  if (parseInstant(need.date.toISOString()) === null) return notJudged;
  const rules = await freshRules(db, workshopId);
  if (rules === null) return notJudged;
  if (own !== null && isSamePlace(placeFor(rules, need, own), own)) return { conflict: null, free: rules };
  const place = placeFor(rules, need, own);
  const saying = async (refusal: Refusal, enforced: boolean): Promise<JudgedPlace> => {
    const of = { workshopId, rules, reason: refusal.reason, at: need.date, place, own, now };
    const said = (await timeInWords(db, of)) ?? reasonInWords[refusal.reason];
    const conflict = { ...refusal, said, isWholeDay: isOfWholeDay(of), isEnforced: enforced };
    return { conflict, free: null };
  };
  if (need.date < now) {
    return saying(past, rules.enforced || (asksPastDay && isPastDay(rules, need.date, now)));
  }
  try {
    await takePlace(db, now, rules, { ...need, workshopId, own, partnerId: null, enforce: 'always' });
    return { conflict: null, free: rules };
  } catch (error) {
    // The write itself will find it out.
    if (error instanceof OutdatedRules) return notJudged;
    const refusal = refusalIn(error, rules.schedule.timezone);
    if (refusal === null) throw error;
    return saying(refusal, isEnforced(rules, refusal.reason));
  }
}

/** The reason against a booking's present time in words; null: there is no such booking, or bays are free by now. */
export async function conflictOfBooking(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  bookingId: string,
  reason: Reason,
): Promise<string | null> {
  const present = await readPlacedBooking(db, null, bookingId);
  const rules = present && (await freshRules(db, present.booking.workshopId));
  if (present === null || rules === null) return null;
  const { workshopId, date } = present.booking;
  const place = storedPlace(present);
  return timeInWords(db, {
    workshopId,
    rules,
    reason,
    at: new Date(date),
    place,
    own: place,
    now: clock.now(),
  });
}

/** Daily limits are enforced even when slots are not. */
const isEnforced = ({ enforced }: KnownRules, reason: Reason) => enforced || reason.endsWith('Limit');

type Refusal = Pick<Conflict, 'reason' | 'alternatives' | 'text'>;

const past: Refusal = { reason: 'past', alternatives: [], text: reasonInWords.past };

/**
 * The conflict of a time in the past, which is checked even when the workshop enforces nothing; null: it is in the future. The
 * write finds all other conflicts.
 */
export const findPast = (date: Date, now: Date): Enforced | null =>
  date < now ? { ...past, isEnforced: true } : null;

/** The refusal of a place in words for staff, with times of the workshop's zone; null for another error. */
function refusalIn(error: unknown, timezone: string): Refusal | null {
  const refused = placeRefusalIn(error);
  if (refused === null) return null;
  const { reason, alternatives } = refused;
  const next = alternatives.map((time) => formatLocalTime(new Date(time), timezone));
  const way = next.length > 0 ? `; free next: ${next.join(', ')}` : '';
  return { reason, alternatives, text: reasonInWords[reason] + way };
}

/**
 * Runs `work`, unless a conflict is enforced and `anyway` gives no reason. Then throws 409 060003 in words for staff, also when
 * only the write finds the conflict.
 */
export async function unlessConflicting<T>(
  {
    conflict,
    anyway,
    timezone,
  }: { readonly conflict: Enforced | null; readonly anyway: string | null; readonly timezone: string },
  work: () => Promise<T>,
): Promise<T> {
  refuseEnforced(conflict, anyway);
  try {
    return await work();
  } catch (error) {
    // In the change of a caller it begins again there, and is given up there.
    const refusal = refusalIn(error instanceof PlaceTaken ? error.refusal : error, timezone);
    if (refusal === null) throw error;
    const inWords = notUnlessWanted(refusal);
    throw error instanceof PlaceTaken ? new PlaceTaken(error, inWords) : inWords;
  }
}

/** The conflict of a change's time, as the change of staff returns it. */
export const saidOf = (conflict: Conflict | null) => ({
  against: conflict?.reason ?? null,
  warnings: conflict === null ? [] : [conflict.text],
});

/** Throws 409 060003 in words for staff where a conflict is enforced and `anyway` gives no reason. */
export function refuseEnforced(conflict: Enforced | null, anyway: string | null): void {
  if (conflict?.isEnforced && anyway === null) throw notUnlessWanted(conflict);
}

const notUnlessWanted = ({ reason, alternatives, text }: Refusal) =>
  new Problem('060003', { message: text, details: { reason, alternatives } });
