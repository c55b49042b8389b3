/** Workshops by the id that an operator typed. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { findWorkshop, type Workshop } from './store.ts';

export function unknownWorkshop(workshopId: string): OperatorError {
  return new OperatorError(`there is no workshop ${workshopId} (pitlane workshop list shows them)`);
}

/** Throws OperatorError when there is no such workshop. */
export async function requireWorkshop(db: Queryable, workshopId: string): Promise<Workshop> {
  const workshop = isId(workshopId) ? await findWorkshop(db, workshopId) : null;
  if (!workshop) throw unknownWorkshop(workshopId);
  return workshop;
}
