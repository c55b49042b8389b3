/**
 * The conflicts of a time, for staff: closed, past, full. It is a warning when the workshop enforces nothing; otherwise staff must
 * book anyway.
 */

import { formatLocalTime } from '#base/values/local-time.ts';
import type { Reason } from '#base/values/unavailable.ts';
import { Problem } from '#errors.ts';
import type { Context } from '#platform/context.ts';
import { OutdatedRules } from '#product/availability/places/attempt.ts';
import { isSamePlace, type Need, type Place, placeFor } from '#product/availability/places/place.ts';
import { placeRefusalIn, reasonInWords } from '#product/availability/places/refuse.ts';
import { freshRules, type KnownRules } from '#product/availability/places/rules.ts';
import { takePlace } from '#product/availability/places/take.ts';

export interface Conflict {
  readonly reason: Reason;
  /** Free times, RFC 3339. */
  readonly alternatives: readonly string[];
  /** `The workshop is closed then; free next: 2030-03-04 09:30`. */
  readonly text: string;
  /** The change is refused unless staff give a reason to book anyway. */
  readonly isEnforced: boolean;
}

interface Asked {
  readonly workshopId: string;
  readonly need: Need;
  /** The present place of the booking. */
  readonly own: Place | null;
}

type Needed = Pick<Context, 'db' | 'clock'>;

/** Null: no conflict, or there is no such workshop. */
export async function findConflict({ db, clock }: Needed, asked: Asked): Promise<Conflict | null> {
  const { workshopId, need, own } = asked;
  const rules = await freshRules(db, workshopId);
  if (rules === null || (own !== null && isSamePlace(placeFor(rules, need, own), own))) return null;
  if (need.date < clock.now()) {
    return { ...past, isEnforced: rules.enforced };
  }
  try {
    await takePlace({ db, clock }, rules, { ...need, workshopId, own, partnerId: null, enforce: 'always' });
    return null;
  } catch (error) {
    // The write itself will find it out.
    if (error instanceof OutdatedRules) return null;
    const refusal = refusalIn(error, rules.schedule.timezone);
    if (refusal === null) throw error;
    return { ...refusal, isEnforced: isEnforced(rules, refusal.reason) };
  }
}

/** Daily limits are enforced even when slots are not. */
const isEnforced = ({ enforced }: KnownRules, reason: Reason) => enforced || reason.endsWith('Limit');

type Refusal = Omit<Conflict, 'isEnforced'>;

const past: Refusal = { reason: 'past', alternatives: [], text: reasonInWords.past };

/**
 * The conflict of a time in the past, which is checked even when the workshop enforces nothing; null: it is in the future. The
 * write finds all other conflicts.
 */
export const findPast = (date: Date, now: Date): Conflict | null =>
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
  }: { readonly conflict: Conflict | null; readonly anyway: string | null; readonly timezone: string },
  work: () => Promise<T>,
): Promise<T> {
  if (conflict?.isEnforced && anyway === null) throw notUnlessWanted(conflict);
  try {
    return await work();
  } catch (error) {
    const refusal = refusalIn(error, timezone);
    throw refusal === null ? error : notUnlessWanted(refusal);
  }
}

const notUnlessWanted = ({ reason, alternatives, text }: Refusal) =>
  new Problem('060003', { message: text, details: { reason, alternatives } });
