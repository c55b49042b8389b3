/** What is done when the database refuses a place: the write is tried again, until the check before it finds the reason. */

import { Problem } from '#errors.ts';
import { type Database, violatedConstraint } from '#platform/db/database.ts';
import { refreshOffer } from '#product/catalogue/offer.ts';
import { noPlaceProblem } from './refuse.ts';
import { refreshRules } from './rules.ts';
import { writeDay } from './store.ts';

/** The rules that a place was taken by are not those of the database, or the place's day has no row of theirs. */
export class OutdatedRules extends Error {
  readonly workshopId: string;
  /** Of the day whose row may be missing; null: none is. */
  readonly instant: Date | null;

  constructor(workshopId: string, instant: Date | null) {
    super('the set-up of the workshop has changed');
    this.workshopId = workshopId;
    this.instant = instant;
  }
}

const attemptsAtMost = 6;

/**
 * Runs `work`, which takes a place, again after OutdatedRules, and after the database refused the place: from then on it must not be
 * optimistic.
 */
export async function attemptPlace<T>(db: Database, work: (isFirst: boolean) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt === 1);
    } catch (error) {
      const isTaken = violatedConstraint(error) === 'booking_place';
      if (!isTaken && !(error instanceof OutdatedRules)) throw error;
      if (attempt === attemptsAtMost) {
        throw isTaken
          ? noPlaceProblem('full', [])
          : new Problem('000007', { headers: { 'retry-after': '1' } });
      }
      if (error instanceof OutdatedRules) await bringUpToDate(db, error);
    }
  }
}

async function bringUpToDate(db: Database, { workshopId, instant }: OutdatedRules): Promise<void> {
  await refreshOffer(db, workshopId);
  const rules = await refreshRules(db, workshopId);
  if (rules === null || instant === null) return;
  const { version, schedule } = rules;
  await writeDay(db, workshopId, version, schedule.slotMinutes, rules.dayOf(instant.getTime()));
}

/** The error of a write of a place that begins at `instant`, by outdated rules, in this program's terms; every other error as it is. */
export function placeError(error: unknown, workshopId: string, instant: Date): unknown {
  return violatedConstraint(error) === 'booking_place_version'
    ? new OutdatedRules(workshopId, instant)
    : error;
}
