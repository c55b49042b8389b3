/** Partners by the id that an operator typed. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { isId } from '#values/id.ts';
import { findPartner, type Partner } from './store.ts';

export function unknownPartner(partnerId: string): OperatorError {
  return new OperatorError(`there is no partner ${partnerId} (pitlane partner list shows them)`);
}

/** Throws OperatorError when there is no such partner. */
export async function requirePartner(db: Queryable, partnerId: string): Promise<Partner> {
  const partner = isId(partnerId) ? await findPartner(db, partnerId) : null;
  if (!partner) throw unknownPartner(partnerId);
  return partner;
}
