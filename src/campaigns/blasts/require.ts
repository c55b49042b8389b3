/** Blasts by the id that an operator typed. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { type BlastRow, findBlast } from './store.ts';

export const unknownBlast = (id: string) =>
  new OperatorError(`there is no blast ${id} (pitlane blast list shows them)`);

/** Throws OperatorError when there is no such blast. */
export async function requireBlast(db: Queryable, id: string): Promise<BlastRow> {
  const blast = isId(id) ? await findBlast(db, null, id) : null;
  if (blast === null) throw unknownBlast(id);
  return blast;
}
