/** Retries a write whose place the database refused, until the check before the write finds the reason. */

import { Problem } from '#errors.ts';
import type { Database } from '#platform/db/database.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import { refreshOffer } from '#product/catalogue/offer.ts';
import { noPlaceProblem } from './refuse.ts';
import { refreshRules } from './rules.ts';
import { writeDay } from './store.ts';

/** The rules that a place was taken under differ from those of the database, or the place's day has no row for them. */
export class OutdatedRules extends Error {
  readonly workshopId: string;
  /** The day whose row may be missing; null: no row is missing. */
  readonly instant: Date | null;

  constructor(workshopId: string, instant: Date | null) {
    super('the set-up of the workshop has changed');
    this.workshopId = workshopId;
    this.instant = instant;
  }
}

const attemptsAtMost = 6;

/**
 * Runs `work`, which takes a place; runs it again after OutdatedRules, and after the database refused the place: later runs must
 * not be optimistic.
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

/**
 * Translates the error of a write of a place that begins at `instant` under outdated rules; returns every other error unchanged.
 */
export function placeError(error: unknown, workshopId: string, instant: Date): unknown {
  return violatedConstraint(error) === 'booking_place_version'
    ? new OutdatedRules(workshopId, instant)
    : error;
}
