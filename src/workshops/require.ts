/** Workshops by the id or slug that an operator typed. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { findWorkshop, findWorkshopBySlug, type Workshop } from './store.ts';

export function unknownWorkshop(workshopId: string): OperatorError {
  return new OperatorError(`there is no workshop ${workshopId} (pitlane workshop list shows them)`);
}

/** Throws OperatorError when there is no such workshop. */
export async function requireWorkshop(db: Queryable, idOrSlug: string): Promise<Workshop> {
  const find = isId(idOrSlug) ? findWorkshop : findWorkshopBySlug;
  const workshop = await find(db, idOrSlug);
  if (!workshop) throw unknownWorkshop(idOrSlug);
  return workshop;
}
