/** Suspends a partner, whose tokens are no longer accepted, or activates it again. */
import type { Clock } from '#clock.ts';
import type { Queryable } from '#db/database.ts';
import { foundById } from '#operator-error.ts';
import { type PartnerStatus, updatePartnerStatus } from './store.ts';

/** Setting the present status again changes nothing. Throws OperatorError when there is no such partner. */
export async function setPartnerStatus(
  db: Queryable,
  clock: Clock,
  partnerId: string,
  status: PartnerStatus,
): Promise<void> {
  await foundById('partner', partnerId, () => updatePartnerStatus(db, partnerId, status, clock.now()));
}
