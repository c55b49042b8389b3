/** Finds call leads for staff: one by its id, or the calls to a workshop. */
import type { Queryable } from '#db/database.ts';
import type { FieldError } from '#errors.ts';
import { foundById, InvalidInput } from '#operator-error.ts';
import { requirePartner } from '#partners/store.ts';
import { isId } from '#values/id.ts';
import { parseTypedPeriod } from '#values/typed-time.ts';
import { requireWorkshop } from '#workshops/store.ts';
import { callOutcomes } from '../schema.ts';
import { findWorkshopCall, type WorkshopCall, type WorkshopCalls } from './store.ts';

/** Throws OperatorError when there is no such call. */
export async function requireCall(db: Queryable, id: string): Promise<WorkshopCall> {
  return foundById('lead', id, () => findWorkshopCall(db, id));
}

/** As typed. */
export interface CallSearch {
  readonly workshop: string;
  readonly partner?: string;
  readonly outcome?: string;
  /** In the workshop's zone, `2030-03-03` or `2030-03-03 09:30`, or RFC 3339. */
  readonly from?: string;
  readonly to?: string;
}

/** Throws InvalidInput that names every bad option, OperatorError when there is no such workshop or partner. */
export async function readCallSearch(db: Queryable, now: Date, search: CallSearch): Promise<WorkshopCalls> {
  const { workshopId, timezone } = await requireWorkshop(db, search.workshop);
  const { from, to, errors: wrongTimes } = parseTypedPeriod(search, timezone, now);
  const errors: FieldError[] = [...wrongTimes];
  const outcomes = callOutcomes.filter((outcome) => (search.outcome ?? outcome) === outcome);
  if (outcomes.length === 0) {
    errors.push({ field: 'outcome', message: `must be one of ${callOutcomes.join(', ')}` });
  }
  const { partner: partnerId = null } = search;
  if (partnerId !== null && !isId(partnerId)) errors.push({ field: 'partner', message: 'is not an id' });
  if (errors.length > 0) throw new InvalidInput(errors);
  if (partnerId !== null) await requirePartner(db, partnerId);
  return { workshopId, partnerId, outcomes, from, to };
}
