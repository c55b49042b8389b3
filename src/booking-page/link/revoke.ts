/** Revokes the links to the booking page that a partner has for a workshop. */
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { requirePartner } from '#partners/store.ts';
import { requireWorkshop } from '#workshops/store.ts';
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
