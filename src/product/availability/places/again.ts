/**
 * Refusals of the database after which a place is taken again, until the check before the write finds the reason. Later attempts must
 * not be optimistic.
 */

import { Problem } from '#errors.ts';
import { Again } from '#platform/change/again.ts';
import type { Database } from '#platform/db/database.ts';
import { violatedConstraint } from '#platform/db/errors.ts';
import { refreshOffer } from '#product/catalogue/offer.ts';
import { noPlaceProblem } from './refuse.ts';
import { refreshRules } from './rules.ts';
import { writeDay } from './store.ts';

/** The rules that a place was taken under differ from those of the database, or the place's day has no row for them. */
export class OutdatedRules extends Again {
  readonly workshopId: string;
  /** The day whose row may be missing; null: no row is missing. */
  readonly instant: Date | null;

  constructor(workshopId: string, instant: Date | null) {
    super('the set-up of the workshop has changed');
    this.workshopId = workshopId;
    this.instant = instant;
  }

  override async prepare(db: Database): Promise<void> {
    const { workshopId, instant } = this;
    await refreshOffer(db, workshopId);
    const rules = await refreshRules(db, workshopId);
    if (rules === null || instant === null) return;
    const { version, schedule } = rules;
    await writeDay(db, workshopId, version, schedule.slotMinutes, rules.dayOf(instant.getTime()));
  }

  giveUp(): Problem {
    const message = 'The set-up of the workshop is being changed';
    return new Problem('000007', { message, headers: { 'retry-after': '1' } });
  }
}

/** Others took the place since the check. */
export class PlaceTaken extends Again {
  readonly refusal: Problem;

  /** `refusal` is given up with: in words for partners unless given. */
  constructor(cause: unknown, refusal = noPlaceProblem('full', [])) {
    super('others have the place', { cause });
    this.refusal = refusal;
  }

  giveUp(): Problem {
    return this.refusal;
  }
}

/** Translates the database's refusal of a place that begins at `instant`; returns every other error unchanged. */
export function placeError(error: unknown, workshopId: string, instant: Date): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === 'booking_place_version') return new OutdatedRules(workshopId, instant);
  return constraint === 'booking_place' ? new PlaceTaken(error) : error;
}
