/** Revokes the links to the booking page that a partner has for a workshop. */

import { OperatorError } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
import { requirePartner } from '#product/partners/store.ts';
import { requireWorkshop } from '#product/workshops/store.ts';
import { countUpVersion } from './store.ts';

export interface Revoked {
  readonly workshopId: string;
  readonly partnerId: string;
}

/** Those that are made later work. Throws OperatorError for an unknown workshop or partner, and when they were never linked. */
export async function revokeBookingLinks(db: Queryable, of: Revoked): Promise<Revoked> {
  const { workshopId } = await requireWorkshop(db, of.workshopId);
  const { partnerId } = await requirePartner(db, of.partnerId);
  if (!(await countUpVersion(db, partnerId, workshopId)))
    throw new OperatorError(`partner ${partnerId} is not linked to workshop ${workshopId}`);
  return { workshopId, partnerId };
}
