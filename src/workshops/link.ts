/** Links a partner with a workshop, and switches the link off and on. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import { OperatorError } from '#operator-error.ts';
import { requirePartner } from '#partners/require.ts';
import { requireWorkshop } from './require.ts';
import { switchLinkOff, upsertLink } from './store.ts';

export interface Link {
  readonly partnerId: string;
  readonly workshopId: string;
  readonly active: boolean;
}

/** Throws OperatorError for an unknown partner or workshop, and when there is no link to switch off. */
export async function setLink(db: Queryable, clock: Clock, wanted: Link): Promise<Link> {
  const { partnerId } = await requirePartner(db, wanted.partnerId);
  const { workshopId } = await requireWorkshop(db, wanted.workshopId);
  const link = { partnerId, workshopId, active: wanted.active };
  if (wanted.active) {
    await upsertLink(db, link, clock.now());
  } else if (!(await switchLinkOff(db, partnerId, workshopId))) {
    throw new OperatorError(`partner ${partnerId} is not linked to workshop ${workshopId}`);
  }
  return link;
}
