/** Suspends a partner, whose tokens are no longer accepted, or activates it again. */
import type { Clock } from '#base/clock.ts';
import { foundById } from '#base/operator-error.ts';
import type { Queryable } from '#platform/db/database.ts';
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
